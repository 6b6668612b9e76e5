import type { Market } from '@core/sdk';
import { toggleFavourite, useFavourites } from './favourites.ts';
import { titleOf } from './filterMarkets.ts';

/** Star that marks a market as a favourite in this browser. */
export function FavouriteButton({ market }: { readonly market: Market }) {
  const isFavourite = useFavourites().has(market.ticker);
  return (
    <button
      type="button"
      className="plain star"
      aria-pressed={isFavourite}
      aria-label={`Favourite: ${titleOf(market)}`}
      onClick={() => toggleFavourite(market.ticker)}
    >
      {isFavourite ? '★' : '☆'}
    </button>
  );
}
