import { signedDollars, signedPercent } from '../money.ts';

interface ResultProps {
  readonly pips: string;
  /** Same amount in basis points of the collateral. */
  readonly bps?: number;
}

/** Profit or loss with its sign and colour. */
export function Result({ pips, bps }: ResultProps) {
  const amount = BigInt(pips);
  return (
    <span className={amount > 0n ? 'gain' : amount < 0n ? 'loss' : undefined}>
      {signedDollars(pips)}
      {bps === undefined ? null : (
        <>
          {' '}
          <span className="nowrap">({signedPercent(bps)})</span>
        </>
      )}
    </span>
  );
}
