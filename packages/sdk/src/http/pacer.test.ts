import { expect, test } from 'vitest';
import { offlineUser, recordedContracts, recordedQuote, recordingWallet } from '../../testing/offlineService.ts';

/** Clocks of a host: the time of day can be set, the other one only advances. */
function hostClocks() {
  const clock = { dayMs: Date.parse('2026-11-21T00:00:00Z'), monotonicMs: 0 };
  const waits: number[] = [];
  const surroundings = {
    nowMs: () => clock.dayMs,
    monotonicMs: () => clock.monotonicMs,
    sleep: async (milliseconds: number) => {
      waits.push(milliseconds);
      clock.monotonicMs += milliseconds;
    },
  };
  return { clock, waits, surroundings };
}

test.each([-3_600_000, 3_600_000])(
  'quotes: clock set by %d ms between two → the second waits its window',
  async (step) => {
    const { clock, waits, surroundings } = hostClocks();
    const fetch = async (): Promise<Response> => Response.json(recordedQuote);
    const user = offlineUser({}, { surroundings: { ...surroundings, fetch } });
    await user.quotes.promote('one');
    clock.dayMs += step;
    await user.quotes.promote('two');
    expect(waits).toEqual([1_000]);
  },
);

test('contract info: clock set back → read again after a minute', async () => {
  const { clock, surroundings } = hostClocks();
  let readCount = 0;
  const fetch = async (url: unknown): Promise<Response> => {
    const isInfo = String(url).includes('contract-info');
    if (isInfo) readCount += 1;
    return Response.json(isInfo ? recordedContracts : { data: [], has_more: false });
  };
  const user = offlineUser({}, { surroundings: { ...surroundings, fetch } });
  const chain = recordingWallet();
  const read = () => user.positions.byTransaction(`0x${'1'.repeat(64)}`, chain);
  await read();
  await read();
  expect(readCount).toBe(1);
  clock.dayMs -= 3_600_000;
  clock.monotonicMs += 60_000;
  await read();
  expect(readCount).toBe(2);
});
