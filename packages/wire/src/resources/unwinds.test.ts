import { expect, test } from 'vitest';
import { plannedUnwinds } from './unwinds.ts';

const rung = {
  rung: 1,
  trigger: { kind: 'price', price_usd_pips: '4200', price_usd: '0.42' },
  target_leverage_bps: 20_000,
  triggered_at: null,
  executed_unwind_id: null,
};

test.each(['planned', 'triggered', 'superseded'])('a rung of the ladder may be %s', (status) => {
  const ladder = { data: [{ ...rung, status }], has_more: false };
  expect(plannedUnwinds.encode(plannedUnwinds.decode(ladder as Parameters<typeof plannedUnwinds.decode>[0]))).toEqual(
    ladder,
  );
});

test('plannedUnwinds: refuses any other status or kind of trigger', () => {
  const list = (changed: object) =>
    plannedUnwinds.safeParse({ data: [{ ...rung, status: 'planned', ...changed }], has_more: false });
  expect(list({}).success).toBe(true);
  expect(list({ status: 'executed' }).success).toBe(false);
  expect(list({ trigger: { kind: 'volume' } }).success).toBe(false);
});
