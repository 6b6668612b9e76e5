import { signedDollars, signedPercent } from '../money.ts';
import { Figure } from './Figure.tsx';

interface ResultProps {
  readonly pips: string;
  /** Same amount in basis points of the collateral. */
  readonly bps?: number;
}

/** Profit or loss with its sign and colour. */
export function Result({ pips, bps }: ResultProps) {
  const amount = BigInt(pips);
  return (
    <span translate="no" className={amount > 0n ? 'gain' : amount < 0n ? 'loss' : undefined}>
      <Figure>{signedDollars(pips)}</Figure>{' '}
      {bps === undefined ? null : <Figure className="nowrap">{`(${signedPercent(bps)})`}</Figure>}
    </span>
  );
}
