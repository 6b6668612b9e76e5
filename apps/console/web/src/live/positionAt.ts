import { currentFigures, type OpenBasis, openFeeFigures, openFiguresOf, riskFigures } from '@core/position';
import { add, leverageBps, pricePips, rateBps, tokenUnits, usdcUnits, wireFiguresOf } from '@core/pricing';
import type { OpenPosition, PositionDebt } from '@core/sdk';

type Basis = NonNullable<OpenPosition['basis']>;

/**
 * Return a position valued at another mark and moment, equal to the service's figures to the unit. A position without
 * its valuation basis, as in an event, is returned unchanged.
 * @param nowMs time of the service, epoch milliseconds.
 */
export function positionAt(
  position: OpenPosition,
  { markPricePips, nowMs }: { readonly markPricePips: bigint; readonly nowMs: number },
): OpenPosition {
  const { basis } = position;
  if (basis === undefined) return position;
  const figures = openFiguresOf(basisOf(position, basis), { markPricePips: pricePips(markPricePips), nowMs });
  return {
    ...position,
    current: wireFiguresOf(currentFigures, figures.current),
    risk: wireFiguresOf(riskFigures, figures.risk),
    fees: wireFiguresOf(openFeeFigures, figures.fees),
  };
}

/**
 * Return the debt of a position at a moment, which its equity is computed with; null without its valuation basis. Fees
 * are rounded up to a USDC unit, as the vault does.
 * @param nowMs time of the service, epoch milliseconds.
 */
export function debtAt(position: OpenPosition, nowMs: number): PositionDebt | null {
  if (position.basis === undefined) return null;
  const basis = basisOf(position, position.basis);
  const { fees } = openFiguresOf(basis, { markPricePips: basis.referencePricePips, nowMs });
  return { ...basis, feesUsdcUnits: add(fees.accruedLifetimeFeeUsdcUnits, fees.pendingLifetimeFeeUsdcUnits) };
}

function basisOf(position: OpenPosition, basis: Basis): OpenBasis {
  const { current, fees, risk } = position;
  const { opened_token_units: opened, principal_changed_at: changedAt } = basis;
  return {
    isPending: opened === null,
    tokenUnits: tokenUnits(BigInt(current.position_token_units)),
    openedTokenUnits: opened === null ? null : tokenUnits(BigInt(opened)),
    principalUsdcUnits: usdcUnits(BigInt(basis.principal_usdc_units)),
    collateralUsdcUnits: usdcUnits(BigInt(basis.collateral_usdc_units)),
    pendingLifetimeFeeUsdcUnits: usdcUnits(BigInt(basis.pending_lifetime_fee_usdc_units)),
    principalChangedAtMs: changedAt === null ? null : Date.parse(changedAt),
    originationFeeUsdcUnits: usdcUnits(BigInt(basis.origination_fee_usdc_units)),
    openVenueFeeUsdcUnits: usdcUnits(BigInt(basis.open_venue_fee_usdc_units)),
    saleVenueFeeUsdcUnits: usdcUnits(BigInt(basis.sale_venue_fee_usdc_units)),
    unwindPaidUsdcUnits: usdcUnits(BigInt(basis.unwind_paid_usdc_units)),
    structuralLeverageBps: leverageBps(BigInt(current.leverage_bps)),
    lifetimeFeeAprBps: rateBps(BigInt(fees.lifetime_fee_apr_bps)),
    liquidationFeeBps: rateBps(BigInt(risk.liquidation_fee_bps)),
    exitBufferBps: rateBps(BigInt(basis.exit_buffer_bps)),
    referencePricePips: pricePips(BigInt(basis.reference_price_usd_pips)),
  };
}
