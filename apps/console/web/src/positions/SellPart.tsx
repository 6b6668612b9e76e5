import { type TokenUnits, tokenUnits } from '@core/pricing';
import type { OpenPosition, PositionDebt } from '@core/sdk';
import { useState } from 'react';
import { tokens } from '../money.ts';
import { DebtChanges } from './DebtChanges.tsx';
import { afterSale } from './debtEffects.ts';

interface SellPartProps {
  readonly position: OpenPosition;
  readonly debt: PositionDebt;
  readonly isBusy: boolean;
  readonly onSell: (units: TokenUnits) => void;
}

/** Units of a hundredth of a token: the step in which a venue takes sizes. */
const stepUnits = 10_000n;

/** Sells a part: at least a fifth of what was opened and five tokens, leaving five. */
export function SellPart({ position: { current }, debt, isBusy, onSell }: SellPartProps) {
  const [chosen, setChosen] = useState<bigint | null>(null);
  // In hundredths of a token, so that a slider can hold them exactly.
  const least = (BigInt(current.min_partial_close_token_units) + stepUnits - 1n) / stepUnits;
  const most = BigInt(current.max_partial_close_token_units) / stepUnits;
  if (most < least) return null;
  const hundredths = chosen === null || chosen < least ? least : chosen > most ? most : chosen;
  const units = tokenUnits(hundredths * stepUnits);
  const text = `${tokens(hundredths * stepUnits)} tokens`;
  return (
    <form
      aria-label="Sell a part"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) onSell(units);
      }}
    >
      <label>
        Sell a part <output>{text}</output>
        <input
          type="range"
          min={Number(least)}
          max={Number(most)}
          value={Number(hundredths)}
          aria-valuetext={text}
          onChange={({ target }) => setChosen(BigInt(target.value))}
        />
      </label>
      <DebtChanges before={debt} after={afterSale(debt, units)} />
      <button type="submit" aria-disabled={isBusy}>
        Sell {text}
      </button>
    </form>
  );
}
