import type { Market, OpenPosition } from '@core/sdk';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useFollowedPrices } from '../live/followedTickers.ts';
import { serviceNowMs } from '../live/serviceClock.ts';
import { FavouriteButton } from '../markets/FavouriteButton.tsx';
import { titleOf } from '../markets/filterMarkets.ts';
import { changeInDayOf, detailOf, midOf } from '../markets/marketRows.ts';
import { OrderBookCard } from '../markets/OrderBookCard.tsx';
import { OutcomeMark } from '../markets/OutcomeMark.tsx';
import { PriceChart } from '../markets/PriceChart.tsx';
import { RulesCard } from '../markets/RulesCard.tsx';
import { reasonText } from '../markets/reasonTexts.ts';
import { TradesCard } from '../markets/TradesCard.tsx';
import { useMarkets } from '../markets/useMarkets.ts';
import { useStatistics } from '../markets/useStatistics.ts';
import { cents, dollars, shortDollars, times, timeText } from '../money.ts';
import { Boundary } from '../parts/Boundary.tsx';
import { Fact } from '../parts/Fact.tsx';
import { Figure } from '../parts/Figure.tsx';
import { Pending } from '../parts/Pending.tsx';
import { PriceChange } from '../parts/PriceChange.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { OwnPositions } from '../positions/OwnPositions.tsx';
import { orderLevels, ownLevels } from '../positions/ownLevels.ts';
import { useOwnPositions } from '../positions/useOwnPositions.ts';
import { queryKeys } from '../queryKeys.ts';
import { spanText } from '../quotes/lifeText.ts';
import { type OrderLevel, Ticket } from '../ticket/Ticket.tsx';
import { useTitle } from '../useTitle.ts';

/** Page of one market: its price, the limits of each side, the user's own positions, and the ticket. */
export function MarketPage() {
  const { ticker } = useParams({ from: '/markets/$ticker' });
  const markets = useMarkets();
  useFollowedPrices(useMemo(() => [ticker], [ticker]));
  const market = markets.data?.find((other) => other.ticker === ticker);
  useTitle(market === undefined ? 'Market' : `${titleOf(market)} · ${cents(midOf(market))}`);
  if (markets.data === undefined) {
    return <Pending title="Market" name="the market" error={markets.error} queryKey={queryKeys.markets} />;
  }
  if (market === undefined) {
    return (
      <>
        <h1>Market</h1>
        <p role="alert">{`There is no open market “${ticker}”.`}</p>
        <Link to="/">Show all markets</Link>
      </>
    );
  }
  return <OpenMarket key={ticker} market={market} />;
}

function OpenMarket({ market }: { readonly market: Market }) {
  const [isTicketOpen, setTicketOpen] = useState(false);
  const own = useOwnPositions(market.ticker);
  const [order, setOrder] = useState<OrderLevel | null>(null);
  return (
    <>
      <Boundary of={market}>
        <Heading market={market} />
      </Boundary>
      <Boundary>
        <PriceNow market={market} />
      </Boundary>
      <div className="columns">
        <div>
          <Boundary of={own}>
            <Chart ticker={market.ticker} own={own} order={order} />
          </Boundary>
          <Boundary>
            <OwnPositions ticker={market.ticker} />
          </Boundary>
          <div className="sides">
            <Boundary>
              <OrderBookCard ticker={market.ticker} />
            </Boundary>
            <Boundary>
              <TradesCard ticker={market.ticker} />
            </Boundary>
          </div>
          <div className="sides">
            <Boundary of={market}>
              <Side market={market} side="yes" />
            </Boundary>
            <Boundary of={market}>
              <Side market={market} side="no" />
            </Boundary>
          </div>
          <Boundary>
            <RulesCard ticker={market.ticker} />
          </Boundary>
        </div>
        <div className="sheet" data-open={isTicketOpen}>
          <button type="button" className="quiet small sheet-close" onClick={() => setTicketOpen(false)}>
            Close
          </button>
          <Boundary>
            <Ticket market={market} onLevel={setOrder} />
          </Boundary>
        </div>
      </div>
      <button type="button" className="trade-button" onClick={() => setTicketOpen(true)}>
        Trade
      </button>
    </>
  );
}

interface ChartProps {
  readonly ticker: string;
  readonly own: readonly OpenPosition[];
  readonly order: OrderLevel | null;
}

function Chart({ ticker, own, order }: ChartProps) {
  const levels = useMemo(() => [...ownLevels(own), ...orderLevels(order)], [own, order]);
  return <PriceChart ticker={ticker} side="yes" levels={levels} />;
}

function Heading({ market }: { readonly market: Market }) {
  const { close_time: closeTime } = market;
  const spanLeft = closeTime === null ? '' : ` (in ${spanText(Date.parse(closeTime) - serviceNowMs())})`;
  return (
    <>
      <h1>
        <FavouriteButton market={market} /> <span>{titleOf(market)}</span>
      </h1>
      <p className="hint">
        <Sentence text={`${detailOf(market)} · ends ${timeText(closeTime)}${spanLeft}`} />
      </p>
    </>
  );
}

/** Price of YES with its change, and the trading activity of the market. */
function PriceNow({ market }: { readonly market: Market }) {
  const statistics = useStatistics(useMemo(() => [market.ticker], [market.ticker])).get(market.ticker);
  return (
    <dl className="headline market-headline">
      <Fact name="Price of YES" id="price">
        <Figure className="price-now">{cents(midOf(market))}</Figure>
      </Fact>
      <Fact name="Change in 24 h">
        <PriceChange pips={changeInDayOf(market, statistics)} />
      </Fact>
      <Fact name="Volume 24 h">{shortDollars(statistics?.volume24h_usd_pips)}</Fact>
      <Fact name="Liquidity">{shortDollars(statistics?.liquidity_usd_pips)}</Fact>
      <Fact name="Open interest">{shortDollars(statistics?.open_interest_usd_pips)}</Fact>
    </dl>
  );
}

const sizes = [100, 500, 1_000, 10_000] as const;

function Side({ market, side }: { readonly market: Market; readonly side: 'yes' | 'no' }) {
  const { prices, leverage } = market;
  const buckets = leverage.max_market_leverage_per_notional[side];
  const reason = reasonText(market.sided_eligibility[side].rejection_reason_code);
  return (
    <section className="card" aria-label={side.toUpperCase()}>
      <h2>
        <OutcomeMark market={market} side={side} />
      </h2>
      {reason === null ? null : <p className="closed">{reason}</p>}
      <dl>
        <Fact name="Ask">{cents(prices?.[`${side}_ask_price_usd_pips`])}</Fact>
        <Fact name="Bid">{cents(prices?.[`${side}_bid_price_usd_pips`])}</Fact>
        <Fact name="Maximum size now">{dollars(market[`max_notional_${side}_usd_pips`])}</Fact>
        <Fact name="Order-book depth within slippage">{dollars(market[`slippage_max_notional_${side}_usd_pips`])}</Fact>
        <Fact name="Available to borrow">{dollars(market[`capacity_max_notional_${side}_usd_pips`])}</Fact>
      </dl>
      <h3>Maximum leverage by size</h3>
      <ul className="depth">
        {sizes.map((size) => (
          <li key={size}>
            <Figure>{`$${size.toLocaleString('en-US')}`}</Figure>
            <meter min={0} max={100_000} value={buckets[`at${size}_usd_bps`]} aria-label={`Leverage at $${size}`} />
            <Figure>{buckets[`at${size}_usd_bps`] === 0 ? 'none' : times(buckets[`at${size}_usd_bps`])}</Figure>
          </li>
        ))}
      </ul>
    </section>
  );
}
