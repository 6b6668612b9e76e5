import { isDeepStrictEqual } from 'node:util';
import { fieldOf } from '@core/api/testing';
import type { LocalPosition } from '@core/contracts/local';
import { raw } from '@core/pricing';
import { expect } from 'vitest';
import type { Rest } from './startRest.ts';
import type { TestStack } from './startTestStack.ts';

interface Shown {
  readonly stack: TestStack;
  readonly rest: Rest;
}

/** Expect that the API matches the chain: tokens, debt, leverage, and every unwind with its reason. */
export async function expectShown(shown: Shown, position: LocalPosition): Promise<void> {
  const { record, rows, wire, debtUsdcUnits } = await shown.stack.until('page, record and chain of one moment', () =>
    seenAtOnce(shown, position),
  );
  const current = (field: string): unknown => fieldOf(wire, 'current', field);
  expect(fieldOf(wire, 'status')).toBe(record.status);
  expect(current('position_token_units')).toBe(String(raw(record.tokenUnits)));
  expect(current('book_leverage_bps')).toBe(Number(raw(record.structuralLeverageBps)));
  // Value less what is left after the loan is the loan, in pips, each rounded down; its fee grows by the second.
  const pipsOf = (field: string): number => Number(current(`${field}_usd_pips`));
  const shownDebtPips = pipsOf('position_value') - pipsOf('effective_collateral');
  expect(Math.abs(shownDebtPips - Number(debtUsdcUnits / 100n))).toBeLessThanOrEqual(2);
  expect(fieldOf(wire, 'unwinds', 'data')).toEqual(
    rows.map((row) => ({
      executed_at: new Date(row.executedAtMs).toISOString(),
      before_leverage_bps: Number(raw(row.beforeLeverageBps)),
      after_leverage_bps: Number(raw(row.afterLeverageBps)),
      reason: row.reason,
      reason_detail: expect.stringMatching(/./),
    })),
  );
}

/** Page, record and chain while no sale is under way and nothing changes between the reads; else undefined. */
async function seenAtOnce({ stack, rest }: Shown, position: LocalPosition) {
  const { store, driver } = stack;
  const { positionKey } = position;
  const record = await store.positions.byKey(positionKey);
  if (record === null || record.livePurpose !== null) return undefined;
  const rows = await store.positions.unwinds(positionKey);
  const wire = await rest.positionOf(record);
  const [debtUsdcUnits, { principalUsdcUnits }, after] = await Promise.all([
    stack.debtOf(position),
    driver.positionOf(position),
    store.positions.byKey(positionKey),
  ]);
  const isStill = isDeepStrictEqual(record, after) && principalUsdcUnits === raw(record.principalUsdcUnits);
  return isStill ? { record, rows, wire, debtUsdcUnits } : undefined;
}
