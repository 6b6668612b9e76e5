import { partialCloseShareOf } from '@core/position';
import { openingSplitOf, waterfallOf } from '@core/position/testing';
import {
  bestGrantFillOf,
  clipGrantFill,
  type Grant,
  grantFillRefusalOf,
  leverageBps,
  lifetimeFeeOf,
  liquidationPriceOf,
  liquidationThresholdOf,
  originationFeeOf,
  pricePips,
  rateBps,
  raw,
  tokenUnits,
  usdcUnits,
} from '@core/pricing';
import type { SeededRandom } from './seededRandom.ts';

/** Vectors that are plain numbers on both sides: what the contract is asked, and what TypeScript answers. */
export interface NumberVectors {
  /** The harness's function. */
  readonly functionName: string;
  readonly row: (random: SeededRandom) => readonly bigint[];
  readonly answer: (row: readonly bigint[]) => readonly bigint[];
}

/** USDC as the vault stores it. */
const usdcBits = 48;
/** Tokens as the vault stores them. */
const tokenBits = 56;
const maxTokens = 2n ** 48n - 1n;
const anyRate = (random: SeededRandom) => random.upTo(16);

/** The i-th number of a row; rows have a fixed length. */
function at(row: readonly bigint[], index: number): bigint {
  const value = row[index];
  if (value === undefined) throw new Error(`a row without word ${index}`);
  return value;
}

export const moneyVectors: Readonly<Record<string, NumberVectors>> = {
  'origination fee': {
    functionName: 'originationFees',
    row: (random) => [random.upTo(usdcBits), anyRate(random)],
    answer: (row) => {
      const feeBps = rateBps(at(row, 1));
      const { originationFeeUsdcUnits } = originationFeeOf({
        notionalUsdcUnits: usdcUnits(at(row, 0)),
        leverageBps: leverageBps(20_000n),
        terms: {
          originationTiers: [{ maxLeverageBps: leverageBps(100_000n), feeBps }],
          partnerOriginationFeeBps: rateBps(0n),
          contractMaxOriginationFeeBps: feeBps,
        },
      });
      return [raw(originationFeeUsdcUnits)];
    },
  },
  'lifetime fee': {
    functionName: 'lifetimeFees',
    row: (random) => [random.upTo(usdcBits), anyRate(random), random.upTo(32)],
    answer: (row) => [
      raw(
        lifetimeFeeOf({
          principalUsdcUnits: usdcUnits(at(row, 0)),
          lifetimeFeeAprBps: rateBps(at(row, 1)),
          elapsedSeconds: Number(at(row, 2)),
        }),
      ),
    ],
  },
  'liquidation threshold and price': {
    functionName: 'liquidations',
    row: (random) => [
      // Principal is at least a unit: without it nothing can be liquidated, which the vault says before this formula.
      random.between(1n, 2n ** 49n - 1n),
      anyRate(random),
      anyRate(random),
      random.upTo(tokenBits),
    ],
    answer: (row) => {
      const terms = { liquidationFeeBps: rateBps(at(row, 1)), exitBufferBps: rateBps(at(row, 2)) };
      // How debt falls into principal and fees does not matter, as long as there is some principal.
      const fees = at(row, 0) / 3n;
      const debt = { principalUsdcUnits: usdcUnits(at(row, 0) - fees), feesUsdcUnits: usdcUnits(fees) };
      return [
        raw(liquidationThresholdOf(debt, terms)),
        raw(liquidationPriceOf({ ...debt, ...terms, tokenUnits: tokenUnits(at(row, 3)) })),
      ];
    },
  },
  'opening split': {
    functionName: 'openingSplits',
    row: openingRow,
    answer: (row) => {
      const split = openingSplitOf({
        cashUsdcUnits: usdcUnits(at(row, 0)),
        collateralUsdcUnits: usdcUnits(at(row, 1)),
        notionalUsdcUnits: usdcUnits(at(row, 2)),
        venueFeeUsdcUnits: usdcUnits(at(row, 3)),
        originationFeeUsdcUnits: usdcUnits(at(row, 4)),
        lentUsdcUnits: usdcUnits(at(row, 5)),
        filledUsdcUnits: usdcUnits(at(row, 6)),
        tokenUnits: tokenUnits(10_000n),
      });
      return [
        raw(split.spentUsdcUnits),
        raw(split.tradeUsdcUnits),
        raw(split.principalUsdcUnits),
        raw(split.poolRefundUsdcUnits),
        raw(split.originationFeeUsdcUnits),
        raw(split.userRefundUsdcUnits),
      ];
    },
  },
  waterfall: {
    functionName: 'waterfalls',
    row: (random) => [random.upTo(usdcBits), random.upTo(usdcBits), random.upTo(usdcBits), anyRate(random)],
    answer: (row) => {
      const paid = waterfallOf({
        proceedsUsdcUnits: usdcUnits(at(row, 0)),
        principalDueUsdcUnits: usdcUnits(at(row, 1)),
        lifetimeFeeDueUsdcUnits: usdcUnits(at(row, 2)),
        liquidationFeeBps: rateBps(at(row, 3)),
      });
      return [
        raw(paid.principalPaidUsdcUnits),
        raw(paid.lifetimeFeePaidUsdcUnits),
        raw(paid.liquidationFeePaidUsdcUnits),
        raw(paid.userPaidUsdcUnits),
      ];
    },
  },
  'best fill of a grant': {
    functionName: 'bestFills',
    row: (random) => [
      ...pathRow(random),
      random.upTo(48),
      random.between(1n, 2n ** 48n - 1n),
      random.oneOf(0n, random.upTo(48)),
      random.between(1n, 2n ** 48n - 1n),
    ],
    answer: (row) => {
      const grants = grantsOf(row, { left: at(row, 6), minimumTokens: at(row, 7), notional: at(row, 8) });
      const give = { tokenUnits: tokenUnits(at(row, 5)), usdcUnits: usdcUnits(at(row, 5)) };
      const bought = bestGrantFillOf(grants.purchase, Number(at(row, 4)), give);
      const sold = bestGrantFillOf(grants.sale, Number(at(row, 4)), give);
      return [raw(bought.tokenUnits), raw(bought.usdcUnits), raw(sold.usdcUnits), raw(sold.tokenUnits)];
    },
  },
  'fill of a grant': {
    functionName: 'fills',
    row: (random) => [
      ...pathRow(random),
      random.upTo(48),
      random.between(1n, 2n ** 48n - 1n),
      random.between(1n, 2n ** 48n - 1n),
    ],
    answer: (row) => {
      const { purchase, sale } = grantsOf(row, { left: at(row, 7) });
      const elapsed = Number(at(row, 4));
      const [give, take] = [at(row, 5), at(row, 6)];
      const bought = clipGrantFill(purchase, elapsed, { tokenUnits: tokenUnits(give), usdcUnits: usdcUnits(take) });
      const sold = clipGrantFill(sale, elapsed, { tokenUnits: tokenUnits(take), usdcUnits: usdcUnits(give) });
      const isAtPrice = (grant: Grant, fill: typeof sold) =>
        grantFillRefusalOf(grant, elapsed, fill) === 'price_too_poor' ? 0n : 1n;
      const ofPurchase = [raw(bought.tokenUnits), raw(bought.usdcUnits), isAtPrice(purchase, bought)];
      return [...ofPurchase, raw(sold.usdcUnits), raw(sold.tokenUnits), isAtPrice(sale, sold)];
    },
  },
  'partial-close share': {
    functionName: 'closeShares',
    row: (random) => {
      const held = random.between(1n, maxTokens);
      return [random.upTo(usdcBits), random.between(0n, held), held];
    },
    answer: (row) => [
      raw(
        partialCloseShareOf({
          amountUsdcUnits: usdcUnits(at(row, 0)),
          soldTokenUnits: tokenUnits(at(row, 1)),
          heldTokenUnits: tokenUnits(at(row, 2)),
        }),
      ),
    ],
  },
};

/** Start, limit, fee, time of the path and elapsed time of a grant. */
function pathRow(random: SeededRandom): readonly bigint[] {
  const validFor = random.between(6n, 20n);
  const [start, limit] = [random.between(1n, 10_000n), random.between(1n, 10_000n)];
  return [start, limit, random.between(0n, 1_000n), validFor, random.between(0n, validFor)];
}

/** Both sides of a grant: what is left of it is its whole size. */
function grantsOf(
  row: readonly bigint[],
  { left, minimumTokens = 0n, notional = 1n }: { left: bigint; minimumTokens?: bigint; notional?: bigint },
): { readonly purchase: Grant; readonly sale: Grant } {
  const path = {
    startPricePips: pricePips(at(row, 0)),
    limitPricePips: pricePips(at(row, 1)),
    venueFeeBps: rateBps(at(row, 2)),
    validForSeconds: Number(at(row, 3)),
  };
  return {
    purchase: {
      ...path,
      side: 'purchase',
      maximumUsdcUnits: usdcUnits(left),
      filledUsdcUnits: usdcUnits(0n),
      minimumFirstUsdcUnits: null,
      notionalUsdcUnits: usdcUnits(notional),
      minimumTokenUnits: tokenUnits(minimumTokens),
    },
    sale: {
      ...path,
      side: 'sale',
      maximumTokenUnits: tokenUnits(left),
      filledTokenUnits: tokenUnits(0n),
      heldTokenUnits: tokenUnits(left),
    },
  };
}

/**
 * Half of the openings are as the vault makes them (lent = notional − collateral, cash near the budget), half are any
 * numbers at all.
 */
function openingRow(random: SeededRandom): readonly bigint[] {
  const notional = random.between(1n, 2n ** 48n - 1n);
  const collateral = random.between(0n, notional);
  if (random.oneOf(true, false)) {
    const [cash, venueFee, origination] = [random.upTo(usdcBits), random.upTo(usdcBits), random.upTo(usdcBits)];
    return [cash, collateral, notional, venueFee, origination, random.upTo(usdcBits), random.upTo(usdcBits)];
  }
  const venueFee = random.between(0n, notional / 10n);
  const origination = random.between(0n, notional / 20n);
  const budget = notional + venueFee + origination;
  const cash = random.oneOf(random.between(0n, budget), budget + random.between(0n, notional));
  return [cash, collateral, notional, venueFee, origination, notional - collateral, random.between(0n, notional)];
}
