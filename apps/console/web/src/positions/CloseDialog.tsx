import { formatUsd, pricePips, raw, type TokenUnits } from '@core/pricing';
import { bidOf, debtAfterSale, midOf, type OpenPosition, proposedMinPriceOf, type SaleTerms, saleOf } from '@core/sdk';
import { type FormEvent, useState } from 'react';
import { livePricesOf } from '../live/livePrices.ts';
import { debtAt } from '../live/positionAt.ts';
import { serviceNowMs } from '../live/serviceClock.ts';
import { showToast } from '../live/toasts.ts';
import { cents, dollarsHeld, dollarsOfUnits, notMeasured, pipsOfText } from '../money.ts';
import { Boundary } from '../parts/Boundary.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { errorText } from '../parts/errorText.ts';
import { Fact } from '../parts/Fact.tsx';
import { useFeeRates } from '../quotes/useFeeRates.ts';
import { DebtChanges } from './DebtChanges.tsx';
import { SaleSize } from './SaleSize.tsx';
import { partOf, payoutOf, repaidOf, soldUnitsOf } from './soldPart.ts';
import { useChainAction } from './useChainAction.ts';

interface CloseDialogProps {
  /** Position valued at the current price. */
  readonly position: OpenPosition;
  /** Part that is chosen first, in quarters; all tokens by default. */
  readonly firstQuarters?: bigint;
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

/** Dialog that confirms a sale of all tokens or a part: the bid, the minimum price, the payout and what remains. */
export function CloseDialog({ position, firstQuarters = 4n, onClose }: CloseDialogProps) {
  const { market_ticker: ticker, effective_side: side } = position;
  const rates = useFeeRates(ticker);
  const live = livePricesOf(ticker) ?? {};
  const bid = bidOf(live, side);
  const [part, setPart] = useState(firstQuarters < 4n ? partOf(position, firstQuarters) : null);
  const [entry, setEntry] = useState<string | null>(null);
  const proposed = bid === undefined ? pricePips(0n) : proposedMinPriceOf(bid);
  const text = entry ?? (Number(raw(proposed)) / 100).toFixed(1);
  const minimumPips = pipsOfCents(text);
  // A part is never sold as the whole: an automatic sale may have left too little for a part.
  const soldUnits = part === null ? null : soldUnitsOf(position, part);
  const canSell = minimumPips !== null && (part === null || soldUnits !== null);
  const action = useChainAction({
    onSent: () => {
      showToast({ kind: 'plain', text: 'Sale requested. It is sold at the next bid.', positionId: position.id });
      onClose();
    },
  });
  const sell = (event: FormEvent): void => {
    event.preventDefault();
    if (!canSell || action.isBusy) return;
    const minPriceUsd = formatUsd(pricePips(minimumPips));
    action.begin((positions, wallet) =>
      soldUnits === null
        ? positions.close(position, { wallet, minPriceUsd })
        : positions.closePart(position, { wallet, minPriceUsd, tokens: soldUnits }),
    );
  };
  return (
    <Dialog title="Close position" onClose={onClose}>
      <form aria-label="Close position" onSubmit={sell}>
        <Boundary of={position} fallback={null}>
          <SaleSize position={position} part={part} onChange={setPart} />
        </Boundary>
        <dl>
          <Fact name="Bid now">{bid === undefined ? 'none' : cents(String(raw(bid)))}</Fact>
        </dl>
        <label>
          Minimum price, ¢
          <input inputMode="decimal" value={text} onChange={({ target }) => setEntry(target.value)} />
        </label>
        {bid === undefined ? null : (
          <Boundary of={position}>
            <Sale
              position={position}
              soldUnits={soldUnits}
              terms={{ bidPricePips: bid, midPricePips: midOf(live, side), feeRates: rates.data }}
            />
          </Boundary>
        )}
        <p className="hint">{hintOf({ minimumPips, canSell, bidPips: bid === undefined ? null : raw(bid) })}</p>
        {action.error === null ? null : <p role="alert">{errorText(action.error)}</p>}
        <p role="status" className="hint">
          {action.text}
        </p>
        <div className="bar">
          <button type="submit" aria-disabled={!canSell || action.isBusy}>
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

interface HintSource {
  readonly minimumPips: bigint | null;
  readonly canSell: boolean;
  readonly bidPips: bigint | null;
}

/** Return the text below the figures: why nothing can be sold, or what the minimum price means. */
function hintOf({ minimumPips, canSell, bidPips }: HintSource): string {
  if (minimumPips === null) return 'Enter a price in cents, below 100.';
  if (!canSell) return 'This position is too small to be sold in parts now.';
  return bidPips === null || minimumPips > bidPips
    ? 'No bid reaches this price now. The sale waits for one, and you can withdraw it.'
    : 'An estimate at the bid. A large sale may get less, but never below the minimum price.';
}

interface SaleProps {
  readonly position: OpenPosition;
  /** Tokens of a part; null for all tokens. */
  readonly soldUnits: TokenUnits | null;
  readonly terms: SaleTerms;
}

/** Payout of a sale, and the position before and after the sale of a part. */
function Sale({ position, soldUnits, terms }: SaleProps) {
  const debt = debtAt(position, serviceNowMs());
  if (debt === null) return null;
  const sale = saleOf(soldUnits ?? debt.tokenUnits, terms);
  const repaid = repaidOf(debt, soldUnits ?? debt.tokenUnits);
  const payoutUnits = raw(payoutOf(sale.proceedsUsdcUnits, repaid));
  const { measuredProceedsUsdcUnits: measured } = sale;
  return (
    <>
      <dl>
        <Fact name="Proceeds">{dollarsHeld(raw(sale.bidValueUsdcUnits))}</Fact>
        <Fact name="Venue fee (maximum)">{dollarsOfUnits(raw(sale.venueFeeUsdcUnits))}</Fact>
        <Fact name="Debt repaid">{dollarsOfUnits(raw(repaid))}</Fact>
        <Fact name="You receive, at the bid" id="close-payout" units={payoutUnits}>
          {dollarsHeld(payoutUnits)}
        </Fact>
        <Fact name="You receive, about" id="close-about">
          <strong translate="no">
            {measured === null ? notMeasured : dollarsHeld(raw(payoutOf(measured, repaid)))}
          </strong>
        </Fact>
      </dl>
      {soldUnits === null ? null : (
        <DebtChanges
          before={debt}
          after={debtAfterSale(debt, soldUnits)}
          markPricePips={pricePips(BigInt(position.current.mark_price_usd_pips))}
        />
      )}
    </>
  );
}
