import { type TokenUnits, tokenUnits } from '@core/pricing';
import type { OpenPosition } from '@core/sdk';
import { useState } from 'react';
import { debtAt } from '../live/positionAt.ts';
import { serviceNowMs } from '../live/serviceClock.ts';
import { tokens } from '../money.ts';
import { Sentence } from '../parts/Sentence.tsx';
import { DebtChanges } from './DebtChanges.tsx';
import { afterSale } from './debtEffects.ts';

interface SellPartProps {
  readonly position: OpenPosition;
  readonly isBusy: boolean;
  readonly onSell: (units: TokenUnits) => void;
}

/** Units of a hundredth of a token: the venue's size step. */
const stepUnits = 10_000n;

/** Form that sells a part: at least a fifth of the opened tokens and five tokens, and five tokens must remain. */
export function SellPart({ position, isBusy, onSell }: SellPartProps) {
  const { current } = position;
  const [chosen, setChosen] = useState<bigint | null>(null);
  // In hundredths of a token, which a slider represents exactly.
  const minimum = (BigInt(current.min_partial_close_token_units) + stepUnits - 1n) / stepUnits;
  const maximum = BigInt(current.max_partial_close_token_units) / stepUnits;
  const debt = debtAt(position, serviceNowMs());
  if (maximum < minimum) return null;
  const hundredths = chosen === null || chosen < minimum ? minimum : chosen > maximum ? maximum : chosen;
  const units = tokenUnits(hundredths * stepUnits);
  const text = `${tokens(hundredths * stepUnits)} tokens`;
  return (
    <form
      aria-label="Partial sale"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) onSell(units);
      }}
    >
      <label>
        Partial sale <output translate="no">{text}</output>
        <input
          type="range"
          min={Number(minimum)}
          max={Number(maximum)}
          value={Number(hundredths)}
          aria-valuetext={text}
          onChange={({ target }) => setChosen(BigInt(target.value))}
        />
      </label>
      {debt === null ? null : <DebtChanges before={debt} after={afterSale(debt, units)} />}
      <button type="submit" aria-disabled={isBusy}>
        <Sentence text={`Sell ${text}`} />
      </button>
    </form>
  );
}
