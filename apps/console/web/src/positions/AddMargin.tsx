import { toUsdcUnits, type UsdcUnits, usdPips } from '@core/pricing';
import type { PositionDebt } from '@core/sdk';
import { useState } from 'react';
import { pipsOfText } from '../money.ts';
import { DebtChanges } from './DebtChanges.tsx';
import { afterMargin } from './debtEffects.ts';

interface AddMarginProps {
  readonly debt: PositionDebt;
  readonly isBusy: boolean;
  readonly onPay: (units: UsdcUnits) => void;
}

/** Form that repays part of the debt from the wallet, which lowers the liquidation price. */
export function AddMargin({ debt, isBusy, onPay }: AddMarginProps) {
  const [text, setText] = useState('');
  const pips = pipsOfText(text);
  const units = pips === null || pips === 0n ? null : toUsdcUnits(usdPips(pips));
  return (
    <form
      aria-label="Add margin"
      onSubmit={(event) => {
        event.preventDefault();
        if (units !== null && !isBusy) onPay(units);
      }}
    >
      <label>
        Repay debt with, USD
        <input inputMode="decimal" value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      {units === null ? null : <DebtChanges before={debt} after={afterMargin(debt, units)} />}
      <button type="submit" aria-disabled={units === null || isBusy} aria-describedby="margin-hint">
        Add margin
      </button>
      <p id="margin-hint" className="hint">
        {units === null ? 'Enter an amount in dollars, such as 5 or 2.50.' : 'The payment is limited to the debt.'}
      </p>
    </form>
  );
}
