import type { Market } from '@core/sdk';
import { useParams } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { followHistories, priceHistoryOf } from '../live/history.ts';
import { titleOf } from '../markets/filterMarkets.ts';
import { reasonText } from '../markets/reasonTexts.ts';
import { useMarkets } from '../markets/useMarkets.ts';
import { cents, dollars, times, timeText } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { Fact } from '../parts/Fact.tsx';
import { PriceChart } from '../parts/PriceChart.tsx';
import { Ticket } from '../ticket/Ticket.tsx';

/** One market: price since the page was opened, what can be opened on each side, and the ticket. */
export function MarketPage() {
  const { ticker } = useParams({ from: '/markets/$ticker' });
  const markets = useMarkets();
  const points = useSyncExternalStore(followHistories, () => priceHistoryOf(ticker));
  if (markets.isPending) return <p role="status">Reading the market …</p>;
  if (markets.isError) return <p role="alert">{errorText(markets.error)}</p>;
  const market = markets.data.find((other) => other.ticker === ticker);
  if (market === undefined) return <p role="alert">No market that trades has the ticker {ticker}.</p>;
  return (
    <>
      <h1>{titleOf(market)}</h1>
      <p className="hint">
        {market.category} · {market.event.title} · resolves {timeText(market.close_time)}
      </p>
      <div className="columns">
        <div>
          <PriceChart points={points} label="YES since this page was opened" />
          <Sides market={market} />
        </div>
        <Ticket key={ticker} market={market} />
      </div>
    </>
  );
}

function Sides({ market }: { readonly market: Market }) {
  return (
    <div className="sides">
      <Side market={market} side="yes" />
      <Side market={market} side="no" />
    </div>
  );
}

const sizes = [100, 500, 1_000, 10_000] as const;

function Side({ market, side }: { readonly market: Market; readonly side: 'yes' | 'no' }) {
  const { prices, leverage } = market;
  const buckets = leverage.max_market_leverage_per_notional[side];
  const reason = reasonText(market.sided_eligibility[side].rejection_reason_code);
  return (
    <section className="card">
      <h2>{side.toUpperCase()}</h2>
      {reason === null ? null : <p className="closed">{reason}</p>}
      <dl>
        <Fact name="Ask">{cents(prices?.[`${side}_ask_price_usd_pips`])}</Fact>
        <Fact name="Bid">{cents(prices?.[`${side}_bid_price_usd_pips`])}</Fact>
        <Fact name="Can be opened now">{dollars(market[`max_notional_${side}_usd_pips`])}</Fact>
        <Fact name="Book gives within slippage">{dollars(market[`slippage_max_notional_${side}_usd_pips`])}</Fact>
        <Fact name="Lenders give">{dollars(market[`capacity_max_notional_${side}_usd_pips`])}</Fact>
      </dl>
      <h3>Highest leverage by size</h3>
      <ul className="depth">
        {sizes.map((size) => (
          <li key={size}>
            <span>${size.toLocaleString('en-US')}</span>
            <meter min={0} max={100_000} value={buckets[`at${size}_usd_bps`]} aria-label={`Leverage at $${size}`} />
            <span>{buckets[`at${size}_usd_bps`] === 0 ? 'none' : times(buckets[`at${size}_usd_bps`])}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
