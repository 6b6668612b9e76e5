import { type FilledGrant, measureFillCosts } from '@core/policy';
import {
  bestAskOf,
  bestGrantFillOf,
  clearableNotionalOf,
  constants,
  type GrantFill,
  grantFillRefusalOf,
  midPriceOf,
  multiplyDivide,
  type PricePips,
  type PurchaseGrant,
  priceOf,
  pricePips,
  type QuoteFigures,
  quoteFigures,
  quoteFiguresOf,
  rateBps,
  raw,
  type SaleGrant,
  tokenUnits,
  usdcUnits,
  usdPips,
  venueFeeShareBpsOf,
  wireFiguresOf,
} from '@core/pricing';
import { anyLeverage, anySlippage, anyTradableAsks } from '@core/pricing/testing/arbitraries.ts';
import { exampleOf } from '@core/wire';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FeeRates, Quote } from '../generated/resources.ts';
import { proposedMinPriceOf } from './saleOf.ts';
import { ticketOf } from './ticketOf.ts';

type Drawn<T> = T extends fc.Arbitrary<infer Value> ? Value : never;

const seconds = 12;
const nothing = { tokenUnits: tokenUnits(0n), usdcUnits: usdcUnits(0n) };
const everything = { tokenUnits: tokenUnits(10n ** 14n), usdcUnits: usdcUnits(10n ** 14n) };
const maxFeeBps = 1_000n;
const ceilingOf = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

/** Book of a side, with an attested opening mark at most 3 % below its mid. */
const anyMarket = fc
  .record({
    asks: anyTradableAsks,
    spreadPips: fc.bigInt({ min: 1n, max: 450n }),
    belowMidBps: fc.bigInt({ min: 0n, max: 300n }),
    feeBps: fc.bigInt({ min: 0n, max: 700n }),
    exponent: fc.constantFrom(0n, 1n, 2n),
  })
  .map(({ asks, spreadPips, belowMidBps, feeBps, exponent }) => {
    const ask = bestAskOf({ asks, bids: [] }) ?? pricePips(0n);
    const bid = pricePips(raw(ask) - spreadPips);
    const bids = [{ pricePips: bid, sizeTokenUnits: tokenUnits(1n) }];
    const mid = midPriceOf({ asks, bids }) ?? bid;
    const mark = multiplyDivide(mid, 10_000n - belowMidBps, 10_000n, 'up');
    return { asks, bid, mid, mark, feeBps, schedule: { ratePpm: feeBps * 100n, exponent } };
  });
type AnyMarket = Drawn<typeof anyMarket>;

const anyOrder = fc.record({
  leverage: anyLeverage,
  slippage: anySlippage,
  // One class of sizes, wherever the fills are.
  usd: fc.bigInt({ min: 20n, max: 200n }),
  originationBps: fc.bigInt({ min: 0n, max: 100n }),
  partnerBps: fc.bigInt({ min: 0n, max: 50n }),
});

const anyPart = fc.bigInt({ min: 0n, max: 1_000n });
/** Fill of a grant: place of its limit between best and worst, second, and how much more the filler gives. */
const anyFill = fc.record({ limitPart: anyPart, second: fc.nat(seconds), bonusPart: anyPart });
const anyTrip = fc.record({ opening: anyFill, sale: anyFill });

const figuresOf = ({ asks, mark, schedule }: AnyMarket, order: Drawn<typeof anyOrder>): QuoteFigures =>
  quoteFiguresOf({
    asks,
    notionalUsdPips: usdPips(order.usd * 10_000n),
    leverageBps: order.leverage,
    slippageBps: order.slippage,
    tickPricePips: pricePips(10n),
    exitBufferBps: rateBps(0n),
    markPricePips: mark,
    fees: {
      originationTiers: [{ maxLeverageBps: constants.maxLeverageBps, feeBps: rateBps(order.originationBps) }],
      partnerOriginationFeeBps: rateBps(0n),
      contractMaxOriginationFeeBps: rateBps(500n),
      partnerTradingFeeBps: rateBps(order.partnerBps),
      lifetimeFeeAprBps: rateBps(0n),
      liquidationFeeBps: rateBps(100n),
      venue: schedule,
    },
  });

const quoteOf = (figures: QuoteFigures, { feeBps }: AnyMarket, { slippage }: Drawn<typeof anyOrder>): Quote => ({
  ...(exampleOf('createQuote').response as Quote),
  ...wireFiguresOf(quoteFigures, figures),
  leverage_bps: Number(raw(figures.leverageBps)),
  notional_usdc_units: String(raw(figures.notionalUsdcUnits)),
  collateral_usdc_units: String(raw(figures.collateralUsdcUnits)),
  entry_price_usd_pips: String(raw(figures.entryPricePips)),
  venue_trading_fee_bps: Number(feeBps),
  basis: {
    position_token_units: String(raw(figures.positionTokenUnits)),
    venue_fee_usdc_units: String(raw(figures.venueFeeUsdcUnits)),
    slippage_bps: Number(raw(slippage)),
    exit_buffer_bps: 0,
    opening_route: 'fill',
  },
});

const ratesOf = ({ feeBps, schedule }: AnyMarket, grants: readonly FilledGrant[]): FeeRates => ({
  ...(exampleOf('getFeeRates').response as FeeRates),
  market: {
    ticker: 'btc-up',
    venue_fee_exponent: Number(schedule.exponent),
    venue_trading_fee_bps: Number(feeBps),
    measured_costs: measureFillCosts(grants).map(({ kind, minUsd, maxUsd, costBps, fillCount }) => ({
      kind: kind === 'sale' ? 'close' : kind,
      min_value_usd_pips: `${minUsd * 10_000}`,
      max_value_usd_pips: maxUsd === null ? null : `${maxUsd * 10_000}`,
      cost_bps: costBps,
      fill_count: fillCount,
    })),
  },
});

/** Fee of an attestation, which the vault caps. */
const attestedFeeOf = (price: PricePips, { schedule }: AnyMarket) => {
  const share = venueFeeShareBpsOf({ pricePips: price, schedule });
  fc.pre(raw(share) <= maxFeeBps);
  return share;
};

/** Opening of all of a quote: within the vault's band of 5 % and the tokens that the user accepts. */
function openingOf(figures: QuoteFigures, market: AnyMarket, { limitPart, second, bonusPart }: Drawn<typeof anyFill>) {
  const { notionalUsdcUnits: notional, minExpectedPositionTokenUnits: minimum } = figures;
  const [mark, edge] = [raw(market.mark), (raw(market.mark) * 105n) / 100n];
  const usersLimit = raw(priceOf(notional, minimum, 'up'));
  const limit = mark + ((edge - mark) * limitPart) / 1_000n;
  const limitPricePips = pricePips(limit < usersLimit ? limit : usersLimit);
  const grant: PurchaseGrant = {
    side: 'purchase',
    startPricePips: raw(limitPricePips) < mark ? limitPricePips : market.mark,
    limitPricePips,
    venueFeeBps: attestedFeeOf(market.mark, market),
    validForSeconds: seconds,
    maximumUsdcUnits: notional,
    filledUsdcUnits: usdcUnits(0n),
    minimumFirstUsdcUnits: notional,
    notionalUsdcUnits: notional,
    minimumTokenUnits: minimum,
  };
  const { tokenUnits: fewest, usdcUnits: paid } = bestGrantFillOf(grant, second, everything);
  const fill = { usdcUnits: paid, tokenUnits: multiplyDivide(fewest, 50_000n + bonusPart, 50_000n, 'up') };
  expect(grantFillRefusalOf(grant, second, fill)).toBeNull();
  return fill;
}

/** Sale of everything, for no less than the minimum price that is proposed to its user. */
function saleOf(
  held: GrantFill,
  market: AnyMarket,
  { limitPart, second, bonusPart }: Drawn<typeof anyFill>,
): GrantFill {
  const lowest = raw(proposedMinPriceOf(market.bid));
  const limitPricePips = pricePips(lowest + ((raw(market.mid) - lowest) * limitPart) / 1_000n);
  const grant: SaleGrant = {
    side: 'sale',
    startPricePips: market.mid,
    limitPricePips,
    venueFeeBps: attestedFeeOf(limitPricePips, market),
    validForSeconds: seconds,
    maximumTokenUnits: held.tokenUnits,
    filledTokenUnits: nothing.tokenUnits,
    heldTokenUnits: held.tokenUnits,
  };
  const sold = bestGrantFillOf(grant, second, everything);
  const fill = { ...sold, usdcUnits: multiplyDivide(sold.usdcUnits, 50_000n + bonusPart, 50_000n, 'up') };
  expect(grantFillRefusalOf(grant, second, fill)).toBeNull();
  return fill;
}

test('round trip: no fill costs more than at worst, and about is between the cheapest and the dearest of its fills', () => {
  fc.assert(
    fc.property(anyMarket, anyOrder, fc.array(anyTrip, { minLength: 3, maxLength: 6 }), (market, order, trips) => {
      const clearable = clearableNotionalOf({ asks: market.asks, slippageBps: order.slippage });
      fc.pre(raw(clearable) >= order.usd * 10_000n);
      const figures = figuresOf(market, order);
      const fills = trips.map(({ opening, sale }) => {
        const bought = openingOf(figures, market, opening);
        return { bought, sold: saleOf(bought, market, sale) };
      });
      const grants = fills.flatMap(({ bought, sold }): FilledGrant[] => [
        { kind: 'opening', category: 'crypto', referencePricePips: figures.entryPricePips, ...bought },
        { kind: 'sale', category: 'crypto', referencePricePips: market.mid, ...sold },
      ]);
      const ticket = ticketOf(quoteOf(figures, market, order), {
        markPricePips: market.bid,
        midPricePips: market.mid,
        feeRates: ratesOf(market, grants),
      });
      const origination = raw(figures.originationFeeUsdcUnits);
      const stake = raw(figures.totalUserAmountUsdcUnits);
      const worst = raw(ticket.worstRoundTripCostUsdcUnits);
      // A loan is not repaid beyond the proceeds.
      const costOf = (paid: bigint, got: bigint): bigint => {
        const cost = origination + paid - got;
        return cost < stake ? cost : stake;
      };
      for (const { bought, sold } of fills) {
        expect(worst).toBeGreaterThanOrEqual(costOf(raw(bought.usdcUnits), raw(sold.usdcUnits)));
      }
      // A ticket assumes that all of the venue's reserved fee is paid: costs are compared per USDC paid.
      const whole = raw(figures.notionalUsdcUnits) + raw(figures.venueFeeUsdcUnits);
      const costs = fills.map(({ bought, sold }) =>
        costOf(whole, ceilingOf(raw(sold.usdcUnits) * whole, raw(bought.usdcUnits))),
      );
      const about = raw(ticket.measuredRoundTripCostUsdcUnits ?? usdcUnits(-1n));
      const lowest = costs.reduce((low, cost) => (cost < low ? cost : low));
      const highest = costs.reduce((high, cost) => (cost > high ? cost : high));
      expect(about).toBeGreaterThanOrEqual(lowest);
      expect(about).toBeLessThanOrEqual(worst);
      // Each of the two shares is rounded up to a basis point of its value.
      expect(about).toBeLessThanOrEqual(highest + (3n * whole) / 10_000n + 3n);
    }),
  );
});
