import { add, subtract, tokenUnits, type UsdcUnits, usdcUnits } from '@core/pricing';
import { leverageBpsSecondsAt } from '../debt/leverage.ts';
import type { Position } from '../record/position.ts';
import type { PositionStateName } from '../states/transitions.ts';
import type { Distribution, EventPlace } from './positionEvent.ts';
import { withPayment } from './userPayment.ts';

const none = usdcUnits(0n);

/** Return the fields common to every end: no tokens, no debt, a time. */
export function ended(position: Position, event: EventPlace, state: PositionStateName): Partial<Position> {
  return {
    chainState: state,
    tokenUnits: tokenUnits(0n),
    principalUsdcUnits: none,
    pendingLifetimeFeeUsdcUnits: none,
    closeRequestedTokenUnits: null,
    closedAtMs: event.blockTimeMs,
    leverageBpsSeconds: leverageBpsSecondsAt(position, event.blockTimeMs),
    leverageChangedAtMs: event.blockTimeMs,
  };
}

/** Return the whole-life totals after a distribution of money; `deferredUsdcUnits` of it the user could not receive. */
export function paidOut(position: Position, paid: Distribution, deferredUsdcUnits: UsdcUnits): Partial<Position> {
  return {
    ...withPayment(position, { userUsdcUnits: paid.userUsdcUnits, deferredUsdcUnits }),
    collectedLifetimeFeeUsdcUnits: add(position.collectedLifetimeFeeUsdcUnits, paid.lifetimeFeeUsdcUnits),
    collectedLiquidationFeeUsdcUnits: add(position.collectedLiquidationFeeUsdcUnits, paid.liquidationFeeUsdcUnits),
    badDebtUsdcUnits: subtract(add(position.badDebtUsdcUnits, paid.badDebtUsdcUnits), paid.recoveredUsdcUnits),
  };
}
