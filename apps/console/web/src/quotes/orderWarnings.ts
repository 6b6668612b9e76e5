import { raw } from '@core/pricing';
import type { Ticket } from '@core/sdk';
import { percent } from '../money.ts';

/** Round-trip cost above which a trader must confirm, in basis points of the collateral. */
const dearRoundTripBps = 2_500n;
/** Distance to liquidation below which a trader must confirm, in basis points of the price. */
const shortDistanceBps = 500n;

/** Return the risks of an order, each with its number; empty for an ordinary one. */
export function orderWarnings({
  roundTripCostBps,
  liquidationDistanceBps,
  borrowUsdcUnits,
}: Pick<Ticket, 'roundTripCostBps' | 'liquidationDistanceBps' | 'borrowUsdcUnits'>): readonly string[] {
  const warnings: string[] = [];
  const roundTrip = raw(roundTripCostBps);
  if (roundTrip > dearRoundTripBps) {
    warnings.push(`Opening and selling at once would cost ${percent(Number(roundTrip))} of your collateral.`);
  }
  const distance = raw(liquidationDistanceBps);
  if (raw(borrowUsdcUnits) > 0n && distance < shortDistanceBps) {
    warnings.push(`A price drop of ${percent(Number(distance))} liquidates this position.`);
  }
  return warnings;
}
