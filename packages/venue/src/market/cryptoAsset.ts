/** Underlyings with a reference price, and the words by which slugs, series and resolution sources name them. */
export const defaultCryptoAssets: Readonly<Record<string, readonly string[]>> = {
  BTC: ['btc', 'bitcoin'],
  ETH: ['eth', 'ethereum'],
  SOL: ['sol', 'solana'],
  XRP: ['xrp', 'ripple'],
};

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().split(/[^a-z0-9]+/));

/**
 * The asset named by one of the texts, whole words only and the earliest text first; null when none is. Titles are
 * never asked: prose names assets it is not about.
 */
export function cryptoAssetOf(
  texts: readonly (string | null | undefined)[],
  assets: Readonly<Record<string, readonly string[]>>,
): string | null {
  for (const text of texts) {
    const words = wordsOf(text ?? '');
    const named = Object.entries(assets).find(([, aliases]) => aliases.some((alias) => words.has(alias)));
    if (named !== undefined) {
      return named[0];
    }
  }
  return null;
}
