import { signedCents } from '../money.ts';

/** Change of a price in cents with its sign and colour; a dash for null. */
export function PriceChange({ pips }: { readonly pips: string | null | undefined }) {
  const change = Number(pips ?? 0);
  const className = change === 0 ? undefined : change > 0 ? 'gain' : 'loss';
  return <span className={className}>{signedCents(pips)}</span>;
}
