import type { Market } from '@core/sdk';
import type { OutcomeNames } from '../markets/marketRows.ts';
import { OutcomeName } from '../markets/OutcomeMark.tsx';
import { amountTextOf, cents, dollars, times } from '../money.ts';
import { Figure } from '../parts/Figure.tsx';
import { PartButtons } from '../parts/PartButtons.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { notionalOf, switchedAmount, type TicketOrder } from './ticketOrder.ts';
import type { TicketState } from './useTicket.ts';

type Prices = NonNullable<Market['prices']>;

interface OrderInputsProps extends Pick<TicketState, 'order' | 'limit' | 'largestPips' | 'largestText' | 'change'> {
  readonly market: OutcomeNames & {
    readonly prices?: Pick<Prices, 'yes_ask_price_usd_pips' | 'no_ask_price_usd_pips'> | null;
    readonly leverage: Pick<Market['leverage'], 'min_bps' | 'step_bps'>;
  };
}

/** Inputs of an order: side, size and leverage. */
export function OrderInputs(props: OrderInputsProps) {
  return (
    <>
      <SideButtons {...props} />
      <AmountInput {...props} />
      <LeverageInput {...props} />
    </>
  );
}

function SideButtons({ market, order, change }: OrderInputsProps) {
  return (
    <fieldset>
      <legend className="unseen">Side</legend>
      <div className="side-buttons">
        {(['yes', 'no'] as const).map((side) => (
          <label key={side} data-side={side}>
            <input type="radio" name="side" checked={order.side === side} onChange={() => change({ ...order, side })} />
            <Figure>{side.toUpperCase()}</Figure> <OutcomeName market={market} side={side} />
            <strong translate="no">{cents(market.prices?.[`${side}_ask_price_usd_pips`])}</strong>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const kinds = [
  { kind: 'size', text: 'Size' },
  { kind: 'collateral', text: 'Collateral' },
] as const;

function AmountInput({ order, largestPips, largestText, change }: OrderInputsProps) {
  const { amountKind } = order;
  const notional = notionalOf(order);
  const setSize = (pips: bigint): void => {
    const sized: TicketOrder = { ...order, amountKind: 'size', amount: amountTextOf(pips) };
    change(amountKind === 'size' ? sized : switchedAmount(sized));
  };
  const sizeText = amountKind === 'collateral' && notional !== null ? `Size ${dollars(String(notional))}. ` : '';
  return (
    <>
      <div className="choices">
        {kinds.map(({ kind, text }) => (
          <button
            key={kind}
            type="button"
            aria-pressed={amountKind === kind}
            onClick={() => (amountKind === kind ? undefined : change(switchedAmount(order)))}
          >
            {text}
          </button>
        ))}
      </div>
      <label>
        <span>{amountKind === 'size' ? 'Size, USD' : 'Collateral, USD'}</span>
        <input
          inputMode="decimal"
          value={order.amount}
          onChange={({ target }) => change({ ...order, amount: target.value })}
        />
      </label>
      <PartButtons
        lastText="Max"
        isDisabled={() => largestPips === null || largestPips === 0n}
        onChoose={(quarters) => setSize(((largestPips ?? 0n) * quarters) / 4n)}
      />
      <p className="hint">
        <Sentence text={sizeText + largestText} />
      </p>
    </>
  );
}

function LeverageInput({ market, order, limit: { maxBps, reason }, change }: OrderInputsProps) {
  const { min_bps: min, step_bps: step } = market.leverage;
  const set = (bps: number): void => change({ ...order, leverageBps: bps });
  const choices = Array.from({ length: (maxBps - min) / step + 1 }, (_, index) => min + index * step);
  return (
    <>
      <div className="with-unit">
        <label>
          Leverage
          <input
            type="range"
            min={min}
            max={maxBps}
            step={step}
            value={order.leverageBps}
            aria-valuetext={times(order.leverageBps)}
            onChange={({ target }) => set(Number(target.value))}
          />
        </label>
        <label>
          <span className="unseen">Leverage as a number</span>
          <select value={order.leverageBps} onChange={({ target }) => set(Number(target.value))}>
            {choices.map((bps) => (
              <option key={bps} value={bps} translate="no">
                {times(bps)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <p className="hint" data-figure="granted-leverage" data-units={maxBps}>
        <Sentence text={reason ?? 'Loading the maximum for this size …'} />
      </p>
    </>
  );
}
