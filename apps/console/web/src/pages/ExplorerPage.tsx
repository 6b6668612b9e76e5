import type { Market } from '@core/sdk';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { filterMarkets, type MarketFilter, titleOf } from '../markets/filterMarkets.ts';
import { reasonText } from '../markets/reasonTexts.ts';
import { useMarkets } from '../markets/useMarkets.ts';
import { cents, times } from '../money.ts';
import { errorText } from '../parts/errorText.ts';

const categories = ['all', 'crypto', 'sport'] as const;

/** All markets, with search and filters; prices move as the socket says. */
export function ExplorerPage() {
  const markets = useMarkets();
  const [filter, setFilter] = useState<MarketFilter>({ text: '', category: 'all', isOpenOnly: false });
  if (markets.isPending) return <p role="status">Reading markets …</p>;
  if (markets.isError) return <p role="alert">{errorText(markets.error)}</p>;
  const shown = filterMarkets(markets.data, filter);
  return (
    <>
      <h1>Markets</h1>
      <FilterBar filter={filter} onChange={setFilter} />
      <p role="status" className="hint">
        {shown.length} of {markets.data.length} markets
      </p>
      <ul className="markets">
        {shown.map((market) => (
          <MarketCard key={market.ticker} market={market} />
        ))}
      </ul>
    </>
  );
}

interface FilterBarProps {
  readonly filter: MarketFilter;
  readonly onChange: (filter: MarketFilter) => void;
}

function FilterBar({ filter, onChange }: FilterBarProps) {
  return (
    <search className="bar">
      <label>
        Search
        <input
          type="search"
          value={filter.text}
          onChange={({ target }) => onChange({ ...filter, text: target.value })}
        />
      </label>
      <label>
        Category
        <select
          value={filter.category}
          onChange={({ target }) => onChange({ ...filter, category: target.value as MarketFilter['category'] })}
        >
          {categories.map((category) => (
            <option key={category}>{category}</option>
          ))}
        </select>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={filter.isOpenOnly}
          onChange={({ target }) => onChange({ ...filter, isOpenOnly: target.checked })}
        />
        Takes positions
      </label>
    </search>
  );
}

function MarketCard({ market }: { readonly market: Market }) {
  const reason = reasonText(market.rejection_reason_code);
  const { max_yes_bps: yes, max_no_bps: no } = market.leverage;
  return (
    <li className="card">
      <Link to="/markets/$ticker" params={{ ticker: market.ticker }}>
        {titleOf(market)}
      </Link>
      <p className="hint">
        {market.category}
        {market.yes_sub_title === null ? '' : ` · YES: ${market.yes_sub_title}`}
      </p>
      <p className="prices">
        <span>YES {cents(market.prices?.yes_ask_price_usd_pips)}</span>
        <span>NO {cents(market.prices?.no_ask_price_usd_pips)}</span>
      </p>
      <p className={reason === null ? 'hint' : 'closed'}>{reason ?? `Up to ${times(Math.max(yes, no))}`}</p>
    </li>
  );
}
