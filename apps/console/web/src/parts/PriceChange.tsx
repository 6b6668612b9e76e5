import { signedCents } from '../money.ts';
import { Figure } from './Figure.tsx';

/** Change of a price in cents with its sign and colour; a dash for null. */
export function PriceChange({ pips }: { readonly pips: string | null | undefined }) {
  const change = Number(pips ?? 0);
  const className = change === 0 ? undefined : change > 0 ? 'gain' : 'loss';
  return <Figure className={className}>{signedCents(pips)}</Figure>;
}
