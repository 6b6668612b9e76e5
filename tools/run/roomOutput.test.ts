import { expect, test } from 'vitest';
import { failedTaskOf, RoomOutput } from './roomOutput.ts';

test('a failed task is told by its last lines, whatever other rooms printed meanwhile', () => {
  const output = new RoomOutput();
  for (let line = 0; line < 400; line += 1) {
    output.add(`@core/store:test: store ${line}`);
    output.add(`@core/api:test: api ${line}`);
    output.add(`turbo's own line ${line}`);
  }
  const told = output.failures(['@core/store:test']);
  expect(told).toContain('@core/store:test failed');
  expect(told).toContain('\nstore 399\n');
  expect(told).toContain('\nstore 250\n');
  expect(told).not.toMatch(/store 249|api|turbo/v);
  expect(output.failures([])).toBe('');
});

test('a failure is read from the line in which turbo reports it', () => {
  expect(failedTaskOf('@core/venue-sim#test:  ERROR  command (/x/apps/venue-sim) pnpm run test exited (1)')).toBe(
    '@core/venue-sim:test',
  );
  expect(failedTaskOf('@core/venue-sim:test: an ERROR  of its own')).toBeNull();
  expect(failedTaskOf(' Failed:    @core/devnet#test')).toBeNull();
});
