import { classOfSign, signedCents } from '../money.ts';
import { Figure } from './Figure.tsx';

/** Change of a price in cents with its sign and colour; a dash for null. */
export function PriceChange({ pips }: { readonly pips: string | number | null | undefined }) {
  const text = signedCents(pips);
  return <Figure className={classOfSign(text)}>{text}</Figure>;
}
