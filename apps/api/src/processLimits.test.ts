import { expect, test } from 'vitest';
import { committedLimitsPage, limitsPage } from '../testing/limitsPage.ts';
import { defaultLimits, processLimits } from './processLimits.ts';

test('docs/operate/limits.md: is current (run `pnpm gen` when this fails)', () => {
  expect(committedLimitsPage()).toBe(limitsPage());
});

test('every default lies between its bounds', () => {
  for (const { setting, value, minimum, maximum } of Object.values(processLimits)) {
    expect([setting, value >= minimum && value <= maximum]).toEqual([setting, true]);
  }
});

test('an address and a caller can have no more than the process, and a body arrives before its request is late', () => {
  const { placesPerCaller, placesPerAddress, places, bodyMs, headersMs, requestMs } = defaultLimits;
  expect(placesPerCaller).toBeLessThan(placesPerAddress);
  expect(placesPerAddress).toBeLessThan(places);
  expect(bodyMs + headersMs).toBeLessThanOrEqual(requestMs);
  expect(defaultLimits.connectionsPerAddress).toBeLessThan(defaultLimits.connections);
  expect(defaultLimits.socketsPerAddress).toBeLessThan(defaultLimits.sockets);
});
