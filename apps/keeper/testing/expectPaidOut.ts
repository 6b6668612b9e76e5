import type { LocalAccount, LocalPosition } from '@core/contracts/local';
import type { Position } from '@core/position';
import { raw } from '@core/pricing';
import { expect } from 'vitest';
import type { TestStack } from './startTestStack.ts';

/** Return what a position has paid to its user less what the user has paid, in USDC units. */
export function netReceivedOf(record: Position): bigint {
  const paid =
    raw(record.quotedCollateralUsdcUnits) +
    raw(record.quotedOriginationFeeUsdcUnits) +
    raw(record.quotedVenueFeeUsdcUnits);
  return raw(record.proceedsUsdcUnits) + raw(record.refundedUsdcUnits) - paid;
}

/** The user's balance changed by what the record says, to the unit, and nothing is left in the position's account. */
export async function expectPaidOut(
  stack: TestStack,
  record: Position,
  {
    user,
    before,
    position,
  }: { readonly user: LocalAccount; readonly before: bigint; readonly position: LocalPosition },
): Promise<void> {
  expect((await stack.driver.usdcOf(user.address)) - before).toBe(netReceivedOf(record));
  expect(await stack.driver.usdcOf(position.account)).toBe(0n);
}
