import { partialCloseShareOf } from '@core/position';
import { openingSplitOf, waterfallOf } from '@core/position/testing';
import {
  leverageBps,
  lifetimeFeeOf,
  liquidationPriceOf,
  liquidationThresholdOf,
  originationFeeOf,
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
