import { liquidationPriceOf, raw } from '@core/pricing';
import type { PositionDebt } from '@core/sdk';
import { cents, dollarsOfUnits, tokens } from '../money.ts';
import { Change } from '../parts/Fact.tsx';
import { debtOf } from './debtEffects.ts';

interface DebtChangesProps {
  readonly before: PositionDebt;
  readonly after: PositionDebt;
}

/** Effect of an action on tokens, debt and liquidation price. */
export function DebtChanges({ before, after }: DebtChangesProps) {
  const priceOf = (debt: PositionDebt): string => cents(String(raw(liquidationPriceOf(debt))));
  return (
    <dl aria-label="Before and after">
      {before.tokenUnits === after.tokenUnits ? null : (
        <Change name="Tokens" before={tokens(raw(before.tokenUnits))} after={tokens(raw(after.tokenUnits))} />
      )}
      <Change
        name="Owed"
        id="owed-change"
        before={dollarsOfUnits(raw(debtOf(before)))}
        after={dollarsOfUnits(raw(debtOf(after)))}
      />
      <Change name="Liquidation price" id="liquidation-change" before={priceOf(before)} after={priceOf(after)} />
    </dl>
  );
}
