import { pricePips, raw, toUsdcUnits, usdPips } from '@core/pricing';
import { debtAfterMargin, debtFiguresOf, type OpenPosition, type PositionDebt } from '@core/sdk';
import { type FormEvent, useState } from 'react';
import { debtAt } from '../live/positionAt.ts';
import { serviceNowMs } from '../live/serviceClock.ts';
import { showToast } from '../live/toasts.ts';
import { amountFault, amountTextOf, dollarsHeld, pipsOfText } from '../money.ts';
import { Boundary } from '../parts/Boundary.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { errorText } from '../parts/errorText.ts';
import { Change } from '../parts/Fact.tsx';
import { PartButtons } from '../parts/PartButtons.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { useUsdcBalance } from '../session/useUsdcBalance.ts';
import { DebtChanges } from './DebtChanges.tsx';
import { useChainAction } from './useChainAction.ts';

interface MarginDialogProps {
  /** Position valued at the current price. */
  readonly position: OpenPosition;
  readonly onClose: () => void;
}

const pipsPerCent = 100n;

/** Dialog that repays a part of the debt, or all of it, from the wallet, which lowers the liquidation price. */
export function MarginDialog({ position, onClose }: MarginDialogProps) {
  return (
    <Dialog title="Add margin" onClose={onClose}>
      <Boundary of={position}>
        <MarginForm position={position} onClose={onClose} />
      </Boundary>
    </Dialog>
  );
}

function MarginForm({ position, onClose }: MarginDialogProps) {
  const [text, setText] = useState('');
  const balance = useUsdcBalance();
  const debt = debtAt(position, serviceNowMs());
  const action = useChainAction({
    onSent: () => {
      showToast({ kind: 'good', text: 'Margin added.', positionId: position.id });
      onClose();
    },
  });
  const mark = pricePips(BigInt(position.current.mark_price_usd_pips));
  const pips = pipsOfText(text);
  const units = pips === null || pips === 0n ? null : toUsdcUnits(usdPips(pips));
  const owed = debt === null ? 0n : raw(debtFiguresOf(debt, mark).owedUsdcUnits);
  const hint = hintOf({ text, paid: units === null ? null : raw(units), owed, balance });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (units === null || hint.isFault || action.isBusy) return;
    action.begin((positions, wallet) => positions.addMargin(position, { wallet, amountUsd: units }));
  };
  return (
    <form aria-label="Add margin" onSubmit={submit}>
      <label>
        Repay debt with, USD
        <input inputMode="decimal" value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <PartButtons
        isDisabled={() => owed === 0n}
        onChoose={(quarters) => setText(amountTextOf(partPipsOf(owed, quarters)))}
      />
      {debt === null || units === null ? null : (
        <Effect debt={debt} after={debtAfterMargin(debt, units)} mark={mark} balance={balance} />
      )}
      <p id="margin-hint" className="hint">
        <Sentence text={hint.text} />
      </p>
      {action.error === null ? null : <p role="alert">{errorText(action.error)}</p>}
      <p role="status" className="hint">
        {action.text}
      </p>
      <div className="bar">
        <button
          type="submit"
          aria-disabled={units === null || hint.isFault || action.isBusy}
          aria-describedby="margin-hint"
        >
          Add margin
        </button>
        <button type="button" className="quiet" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}

interface EffectProps {
  readonly debt: PositionDebt;
  readonly after: PositionDebt;
  readonly mark: Parameters<typeof debtFiguresOf>[1];
  readonly balance: bigint | null;
}

function Effect({ debt, after, mark, balance }: EffectProps) {
  const owedOf = (one: PositionDebt): bigint => raw(debtFiguresOf(one, mark).owedUsdcUnits);
  return (
    <>
      <DebtChanges before={debt} after={after} markPricePips={mark} />
      {balance === null ? null : (
        <dl>
          <Change
            name="USDC in the wallet"
            before={dollarsHeld(balance)}
            after={dollarsHeld(balance + owedOf(after) - owedOf(debt))}
          />
        </dl>
      )}
    </>
  );
}

/** Return quarters of a debt in pips, in whole cents. All of it has a cent more, for the interest until it is paid. */
const partPipsOf = (owedUnits: bigint, quarters: bigint): bigint => {
  const unitsPerCent = 10_000n;
  const cents = (owedUnits * quarters) / 4n / unitsPerCent;
  return (quarters < 4n ? cents : cents + 2n) * pipsPerCent;
};

/** Return the hint below the amount, and true when it says why nothing can be paid. */
function hintOf({ text, paid, owed, balance }: HintSource): { readonly text: string; readonly isFault: boolean } {
  if (paid === null) return { text: amountFault(text) ?? 'Enter an amount above 0.', isFault: true };
  const payment = paid < owed ? paid : owed;
  if (balance !== null && balance < payment) return { text: `The wallet has ${dollarsHeld(balance)}.`, isFault: true };
  return paid < owed
    ? { text: 'Interest is paid first, then the loan.', isFault: false }
    : { text: 'Repays the whole debt. Only what is owed is taken.', isFault: false };
}

interface HintSource {
  readonly text: string;
  /** Null without an amount above 0. */
  readonly paid: bigint | null;
  readonly owed: bigint;
  readonly balance: bigint | null;
}
