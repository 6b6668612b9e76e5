import type { PoolPoint } from './readPoolHistory.ts';

const daySeconds = 86_400;
const yearSeconds = 365 * daySeconds;
const wholeBps = 10_000;

type SharePrice = Pick<PoolPoint, 'atSeconds' | 'usdcUnits'>;

/**
 * Return the annual rate of the share price over a number of days before `end`, without compounding, in basis points;
 * negative after a loss, null while the history is shorter. For display only.
 */
export function aprOf(points: readonly SharePrice[], end: SharePrice, days: number): number | null {
  const start = points.findLast(({ atSeconds }) => atSeconds <= end.atSeconds - days * daySeconds);
  if (start === undefined || start.usdcUnits === 0n) return null;
  const growth = Number(end.usdcUnits - start.usdcUnits) / Number(start.usdcUnits);
  return Math.round(((growth * yearSeconds) / (end.atSeconds - start.atSeconds)) * wholeBps);
}

/**
 * Return the yearly rate that shares earn at a utilisation: the interest on loans, less the protocol's part of it, in
 * basis points, rounded down. Losses, liquidation fees and the seven days of vesting are not part of it.
 */
export function expectedYieldBps(terms: {
  readonly interestAprBps: bigint;
  /** Loans over assets. */
  readonly utilisationBps: bigint;
  /** Protocol's part of interest. */
  readonly protocolCutBps: bigint;
}): bigint {
  const whole = BigInt(wholeBps);
  return (terms.interestAprBps * terms.utilisationBps * (whole - terms.protocolCutBps)) / (whole * whole);
}
