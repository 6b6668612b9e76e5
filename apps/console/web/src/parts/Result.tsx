import { classOfSign, signedDollars, signedPercent } from '../money.ts';
import { Figure } from './Figure.tsx';

interface ResultProps {
  readonly pips: string;
  /** Same amount in basis points of the collateral. */
  readonly bps?: number;
}

/** Profit or loss with its sign and colour. */
export function Result({ pips, bps }: ResultProps) {
  const text = signedDollars(pips);
  return (
    <span translate="no" className={classOfSign(text)}>
      <Figure>{text}</Figure>{' '}
      {bps === undefined ? null : <Figure className="nowrap">{`(${signedPercent(bps)})`}</Figure>}
    </span>
  );
}
