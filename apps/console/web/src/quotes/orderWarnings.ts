import { raw } from '@core/pricing';
import type { Ticket } from '@core/sdk';
import { percent } from '../money.ts';

/** Round-trip cost above which a trader must confirm, in basis points of the collateral. */
const dearRoundTripBps = 2_500n;
/** Distance to liquidation below which a trader must confirm, in basis points of the price. */
const shortDistanceBps = 500n;

type OrderRisks = Pick<
  Ticket,
  'roundTripCostBps' | 'measuredRoundTripCostBps' | 'liquidationDistanceBps' | 'borrowUsdcUnits'
>;

/**
 * Return the risks of an order, each with its number; empty for an ordinary one. A round trip that is not measured is
 * the one at the prices of the quote: at worst nearly every order is above the threshold.
 */
export function orderWarnings({
  roundTripCostBps,
  measuredRoundTripCostBps,
  liquidationDistanceBps,
  borrowUsdcUnits,
}: OrderRisks): readonly string[] {
  const warnings: string[] = [];
  const roundTrip = raw(measuredRoundTripCostBps ?? roundTripCostBps);
  if (roundTrip > dearRoundTripBps) {
    const about = measuredRoundTripCostBps === null ? '' : 'about ';
    warnings.push(`Opening and selling at once would cost ${about}${percent(Number(roundTrip))} of your collateral.`);
  }
  const distance = raw(liquidationDistanceBps);
  if (raw(borrowUsdcUnits) > 0n && distance < shortDistanceBps) {
    warnings.push(`A price drop of ${percent(Number(distance))} liquidates this position.`);
  }
  return warnings;
}
