import {
  leverageBps,
  lifetimeFeeOf,
  liquidationPriceOf,
  liquidationThresholdOf,
  originationFeeOf,
  pricePips,
  rateBps,
  raw,
  snapQuote,
  tokenUnits,
  usdcUnits,
  usdPips,
  venueFeeOf,
  venueFeeShareBpsOf,
} from '../src/index.ts';
import { SeededRandom } from './seededRandom.ts';

/** Inputs and results of one vector, as decimal text because JSON numbers lose digits. */
export type Vector = Readonly<Record<string, string>>;
/** Vectors by function, each a flat list. */
export type Vectors = Readonly<Record<string, readonly Vector[]>>;

const rows = 120;

function text(row: Readonly<Record<string, bigint>>): Vector {
  return Object.fromEntries(Object.entries(row).map(([key, n]) => [key, n.toString()]));
}

/** Draw the common number of rows from a seed. */
export function list(seed: bigint, row: (random: SeededRandom) => Record<string, bigint>): readonly Vector[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: rows }, () => text(row(random)));
}

/** Draw a snapped size of any leverage. */
export function anySize(random: SeededRandom) {
  const notionalUsdPips = random.between(50_000n, 50_000n + random.sized(33n));
  const leverage = random.between(6n, 40n) * 2_500n;
  const size = snapQuote({ notionalUsdPips: usdPips(notionalUsdPips), leverageBps: leverageBps(leverage) });
  return {
    notionalUsdPips,
    leverageBps: leverage,
    collateralUsdcUnits: raw(size.collateralUsdcUnits),
    notionalUsdcUnits: raw(size.notionalUsdcUnits),
    borrowUsdcUnits: raw(size.borrowUsdcUnits),
  };
}

function originationFee(random: SeededRandom) {
  const notional = random.sized(48n);
  const feeBps = random.between(0n, 500n);
  const fee = originationFeeOf({
    notionalUsdcUnits: usdcUnits(notional),
    leverageBps: leverageBps(20_000n),
    terms: {
      originationTiers: [{ maxLeverageBps: leverageBps(100_000n), feeBps: rateBps(feeBps) }],
      partnerOriginationFeeBps: rateBps(0n),
      contractMaxOriginationFeeBps: rateBps(500n),
    },
  });
  return { notionalUsdcUnits: notional, feeBps, originationFeeUsdcUnits: raw(fee.originationFeeUsdcUnits) };
}

function lifetimeFee(random: SeededRandom) {
  const principal = random.sized(48n);
  const apr = random.between(0n, 2_000n);
  const elapsed = random.sized(30n);
  const fee = lifetimeFeeOf({
    principalUsdcUnits: usdcUnits(principal),
    lifetimeFeeAprBps: rateBps(apr),
    elapsedSeconds: Number(elapsed),
  });
  return {
    principalUsdcUnits: principal,
    lifetimeFeeAprBps: apr,
    elapsedSeconds: elapsed,
    lifetimeFeeUsdcUnits: raw(fee),
  };
}

function liquidation(random: SeededRandom) {
  const row = {
    principalUsdcUnits: random.sized(48n) + 1n,
    feesUsdcUnits: random.sized(40n),
    tokenUnits: random.sized(48n) + 1n,
    liquidationFeeBps: random.between(0n, 1_000n),
    exitBufferBps: random.between(0n, 1_500n),
  };
  const debt = {
    principalUsdcUnits: usdcUnits(row.principalUsdcUnits),
    feesUsdcUnits: usdcUnits(row.feesUsdcUnits),
  };
  const terms = {
    liquidationFeeBps: rateBps(row.liquidationFeeBps),
    exitBufferBps: rateBps(row.exitBufferBps),
  };
  return {
    ...row,
    thresholdUsdcUnits: raw(liquidationThresholdOf(debt, terms)),
    liquidationPricePips: raw(liquidationPriceOf({ ...debt, ...terms, tokenUnits: tokenUnits(row.tokenUnits) })),
  };
}

function venueFee(random: SeededRandom) {
  const tokens = random.sized(44n);
  const price = random.between(1n, 9_999n);
  const schedule = { ratePpm: random.between(0n, 250_000n), exponent: random.between(0n, 4n) };
  const at = { tokenUnits: tokenUnits(tokens), pricePips: pricePips(price), schedule };
  return {
    tokenUnits: tokens,
    pricePips: price,
    ...schedule,
    venueFeeUpUsdcUnits: raw(venueFeeOf({ ...at, rounding: 'up' })),
    venueFeeDownUsdcUnits: raw(venueFeeOf({ ...at, rounding: 'down' })),
    venueFeeShareBps: raw(venueFeeShareBpsOf({ pricePips: pricePips(price), schedule })),
  };
}

/** Build all golden vectors. Deterministic: they change only when a formula does. */
export function buildVectors(): Vectors {
  return {
    snap: list(1n, anySize),
    originationFee: list(2n, originationFee),
    lifetimeFee: list(3n, lifetimeFee),
    liquidation: list(4n, liquidation),
    venueFee: list(8n, venueFee),
  };
}

/** Format the file: one vector per line, so that a changed formula shows as changed lines. */
export function vectorsText(vectorGroups: Vectors): string {
  const groups = Object.entries(vectorGroups).map(
    ([name, vectors]) => `  "${name}": [\n${vectors.map((row) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]`,
  );
  return `{\n${groups.join(',\n')}\n}\n`;
}
