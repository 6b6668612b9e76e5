import type { Market } from '@core/sdk';
import { filterMarkets, titleOf } from '../markets/filterMarkets.ts';

/** Page or market that the palette opens. */
export interface PaletteEntry {
  /** Address within the console. */
  readonly to: string;
  readonly text: string;
  /** Keys that open it directly; null without any. */
  readonly keys: string | null;
}

/** Pages with their letter after `g`. */
export const pages = [
  { to: '/', text: 'Markets', letter: 'm' },
  { to: '/portfolio', text: 'Portfolio', letter: 'p' },
  { to: '/pool', text: 'Pool', letter: 'l' },
  { to: '/risk', text: 'How you lose money here', letter: 'r' },
] as const;

const maxEntries = 10;

/** Return the pages and markets that contain the text, pages first. */
export function paletteEntries(text: string, markets: readonly Market[]): readonly PaletteEntry[] {
  const searchText = text.trim().toLowerCase();
  const pageEntries = pages
    .filter((page) => page.text.toLowerCase().includes(searchText))
    .map((page) => ({ to: page.to, text: page.text, keys: `g ${page.letter}` }));
  const marketEntries = filterMarkets(markets, { text, category: 'all', isOpenOnly: false }).map((market) => ({
    to: `/markets/${encodeURIComponent(market.ticker)}`,
    text: titleOf(market),
    keys: null,
  }));
  return [...pageEntries, ...marketEntries].slice(0, maxEntries);
}
