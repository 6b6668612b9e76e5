import { formatUsd, pricePips, raw, tokenUnits } from '@core/pricing';
import { bidOf, midOf, type OpenPosition, proposedMinPriceOf, type SaleTerms, saleOf } from '@core/sdk';
import { type FormEvent, useState } from 'react';
import { livePricesOf } from '../live/livePrices.ts';
import { debtAt } from '../live/positionAt.ts';
import { serviceNowMs } from '../live/serviceClock.ts';
import { showToast } from '../live/toasts.ts';
import { cents, dollarsHeld, dollarsOfUnits, notMeasured, pipsOfText, tokens } from '../money.ts';
import { Boundary } from '../parts/Boundary.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { errorText } from '../parts/errorText.ts';
import { Fact } from '../parts/Fact.tsx';
import { useFeeRates } from '../quotes/useFeeRates.ts';
import { debtOf, payoutOf } from './debtEffects.ts';
import { useChainAction } from './useChainAction.ts';

interface CloseDialogProps {
  /** Position valued at the current price. */
  readonly position: OpenPosition;
  readonly onClose: () => void;
}

const highestPips = 9_999n;

/** Parse a price in cents, in pips; null for any other text and from 1 USD up. */
function pipsOfCents(text: string): bigint | null {
  const pips = pipsOfText(text);
  // Entered in cents: four decimals of a dollar are two of a cent.
  const price = pips === null ? null : pips / 100n;
  return price === null || price > highestPips ? null : price;
}

/** Dialog that confirms a sale of the whole position: the bid, the minimum price, and the payout. */
export function CloseDialog({ position, onClose }: CloseDialogProps) {
  const { market_ticker: ticker, effective_side: side } = position;
  const rates = useFeeRates(ticker);
  const live = livePricesOf(ticker) ?? {};
  const bid = bidOf(live, side);
  const [entry, setEntry] = useState<string | null>(null);
  const proposed = bid === undefined ? pricePips(0n) : proposedMinPriceOf(bid);
  const text = entry ?? (Number(raw(proposed)) / 100).toFixed(1);
  const minimumPips = pipsOfCents(text);
  const isWaiting = minimumPips !== null && (bid === undefined || minimumPips > raw(bid));
  const action = useChainAction({
    onSent: () => {
      showToast({ kind: 'plain', text: 'Sale requested. It is sold at the next bid.', positionId: position.id });
      onClose();
    },
  });
  const sell = (event: FormEvent): void => {
    event.preventDefault();
    if (minimumPips === null || action.isBusy) return;
    const minPriceUsd = formatUsd(pricePips(minimumPips));
    action.begin((positions, wallet) => positions.close(position, { wallet, minPriceUsd }));
  };
  return (
    <Dialog title="Close position" onClose={onClose}>
      <form aria-label="Close position" onSubmit={sell}>
        <dl>
          <Boundary of={position} fallback={null}>
            <Tokens position={position} />
          </Boundary>
          <Fact name="Bid now">{bid === undefined ? 'none' : cents(String(raw(bid)))}</Fact>
        </dl>
        <label>
          Minimum price, ¢
          <input inputMode="decimal" value={text} onChange={({ target }) => setEntry(target.value)} />
        </label>
        {bid === undefined ? null : (
          <Boundary of={position}>
            <Proceeds
              position={position}
              terms={{ bidPricePips: bid, midPricePips: midOf(live, side), feeRates: rates.data }}
            />
          </Boundary>
        )}
        <p className="hint">
          {minimumPips === null
            ? 'Enter a price in cents, below 100.'
            : isWaiting
              ? 'No bid reaches this price now. The sale waits for one, and you can withdraw it.'
              : 'An estimate at the bid. A large sale may get less, but never below the minimum price.'}
        </p>
        {action.error === null ? null : <p role="alert">{errorText(action.error)}</p>}
        <p role="status" className="hint">
          {action.text}
        </p>
        <div className="bar">
          <button type="submit" aria-disabled={minimumPips === null || action.isBusy}>
            Sell now
          </button>
          <button type="button" className="quiet" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Tokens({ position: { current } }: Pick<CloseDialogProps, 'position'>) {
  return <Fact name="Tokens">{tokens(current.position_token_units)}</Fact>;
}

interface ProceedsProps {
  readonly position: OpenPosition;
  readonly terms: SaleTerms;
}

function Proceeds({ position, terms }: ProceedsProps) {
  const debt = debtAt(position, serviceNowMs());
  if (debt === null) return null;
  const sale = saleOf(tokenUnits(BigInt(position.current.position_token_units)), terms);
  const payoutUnits = raw(payoutOf(sale.proceedsUsdcUnits, debt));
  const { measuredProceedsUsdcUnits: measured } = sale;
  return (
    <dl>
      <Fact name="Proceeds">{dollarsHeld(raw(sale.bidValueUsdcUnits))}</Fact>
      <Fact name="Venue fee (maximum)">{dollarsOfUnits(raw(sale.venueFeeUsdcUnits))}</Fact>
      <Fact name="Debt repaid">{dollarsOfUnits(raw(debtOf(debt)))}</Fact>
      <Fact name="You receive, at the bid" id="close-payout" units={payoutUnits}>
        {dollarsHeld(payoutUnits)}
      </Fact>
      <Fact name="You receive, about" id="close-about">
        <strong translate="no">{measured === null ? notMeasured : dollarsHeld(raw(payoutOf(measured, debt)))}</strong>
      </Fact>
    </dl>
  );
}
