import { useEffect, useRef, useState } from 'react';
import { useFollowedPrices } from '../live/followedTickers.ts';
import { useFavourites } from '../markets/favourites.ts';
import { filterMarkets, type MarketFilter } from '../markets/filterMarkets.ts';
import { MarketsTable } from '../markets/MarketsTable.tsx';
import { useMarkets } from '../markets/useMarkets.ts';
import { useStatistics } from '../markets/useStatistics.ts';
import { Pending } from '../parts/Pending.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { queryKeys } from '../queryKeys.ts';
import { useTitle } from '../useTitle.ts';

const categories = ['all', 'crypto', 'sport'] as const;
/** Filter of the page; favourites are known by their tickers. */
interface PageFilter extends Omit<MarketFilter, 'tickers'> {
  readonly isFavouriteOnly: boolean;
}

const firstFilter: PageFilter = { text: '', category: 'all', isOpenOnly: true, isFavouriteOnly: false };

/** Page of all markets, with search and filters; prices follow the socket. */
export function ExplorerPage() {
  useTitle('Markets');
  const markets = useMarkets();
  const [filter, setFilter] = useState(firstFilter);
  const favourites = useFavourites();
  const tickers = filter.isFavouriteOnly ? favourites : undefined;
  const matches = filterMarkets(markets.data ?? [], { ...filter, tickers });
  const statistics = useStatistics((markets.data ?? []).map(({ ticker }) => ticker));
  useFollowedPrices(matches.map(({ ticker }) => ticker));
  if (markets.data === undefined) {
    return <Pending title="Markets" name="markets" error={markets.error} queryKey={queryKeys.markets} />;
  }
  const closedCount = markets.data.filter(({ accepting_new_positions: isOpen }) => !isOpen).length;
  const hiddenText = filter.isOpenOnly && closedCount > 0 ? `, ${closedCount} not offered now are hidden` : '';
  return (
    <>
      <h1>Markets</h1>
      <FilterBar filter={filter} onChange={setFilter} />
      <p role="status" className="hint">
        <Sentence text={`${matches.length} of ${markets.data.length} markets${hiddenText}`} />
      </p>
      {matches.length === 0 ? (
        <p>
          No market matches.{' '}
          <button
            type="button"
            className="quiet small"
            onClick={() => setFilter({ ...firstFilter, isOpenOnly: false })}
          >
            Show all markets
          </button>
        </p>
      ) : (
        <MarketsTable markets={matches} statistics={statistics} />
      )}
    </>
  );
}

interface FilterBarProps {
  readonly filter: PageFilter;
  readonly onChange: (filter: PageFilter) => void;
}

const textFields = 'textarea, input:not([type="checkbox"], [type="radio"], [type="range"])';

/** Move the focus to the search when `/` is pressed outside a field. */
function useSearchKey() {
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches(textFields);
      if (event.key !== '/' || isTyping) return;
      event.preventDefault();
      search.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  return search;
}

function FilterBar({ filter, onChange }: FilterBarProps) {
  const search = useSearchKey();
  return (
    <search className="bar">
      <label>
        Search
        <input
          ref={search}
          type="search"
          placeholder="Press / to search"
          value={filter.text}
          onChange={({ target }) => onChange({ ...filter, text: target.value })}
        />
      </label>
      <label>
        Category
        <select
          value={filter.category}
          onChange={({ target }) => {
            const category = categories.find((name) => name === target.value);
            if (category !== undefined) onChange({ ...filter, category });
          }}
        >
          {categories.map((category) => (
            <option key={category}>{category}</option>
          ))}
        </select>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={!filter.isOpenOnly}
          onChange={({ target }) => onChange({ ...filter, isOpenOnly: !target.checked })}
        />
        Show markets not offered now
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={filter.isFavouriteOnly}
          onChange={({ target }) => onChange({ ...filter, isFavouriteOnly: target.checked })}
        />
        Favourites only
      </label>
    </search>
  );
}
