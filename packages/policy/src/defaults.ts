import { leverageBps, pricePips, rateBps, usdcUnits, usdPips } from '@core/pricing';
import type { CryptoRow, PolicyConfig, PriceBand, SportRow } from './config.ts';
import type { SportLine } from './market/marketFacts.ts';

const winnerOnly: readonly SportLine[] = ['winner'];
const cryptoBand: PriceBand = { minPricePips: pricePips(1_000n), maxPricePips: pricePips(9_500n) };

function cryptoRow(hardExitSeconds: number, latestEntrySeconds: number): CryptoRow {
  return { hardExitSeconds, latestEntrySeconds, jumpBps: 0n, priceBand: cryptoBand };
}

function sportRow(typicalLengthMinutes: number, jumpBps: bigint, inPlayLines: readonly SportLine[]): SportRow {
  return { typicalLengthSeconds: typicalLengthMinutes * 60, jumpBps, inPlayLines, isPregameEntryAllowed: true };
}

const usd = (dollars: bigint) => usdPips(dollars * 10_000n);
const usdc = (dollars: bigint) => usdcUnits(dollars * 1_000_000n);

/** The one table of policy numbers: the starting policy of the risk study and the gate numbers of the definitions. */
export const policyDefaults: PolicyConfig = {
  ages: {
    maxBookAgeMs: 5_000,
    maxPriceAgeMs: 5_000,
    maxSpotAgeMs: 5_000,
    maxSportAgeMs: 180_000,
    twapWindowMs: 30_000,
    twapMinimumSampleCount: 3,
    twapMinimumSpanMs: 2_000,
    maxTwapSampleAgeMs: 10_000,
    maxSecondSourceAgeMs: 30_000,
    maxLastTradeAgeMs: 60_000,
    maxKeeperHeartbeatAgeMs: 60_000,
    maxSpotSilenceMs: 15_000,
    maxSportSilenceMs: 180_000,
  },
  entry: {
    maxSpreadPricePips: pricePips(500n),
    depthBandPricePips: pricePips(500n),
    depthMultiple: 3n,
    maxTopHolderShareBps: rateBps(5_000n),
    minVolume24hUsdPips: usd(1_000n),
    minOpenInterestUsdPips: usd(0n),
    maxDivergencePricePips: pricePips(1_000n),
    minTickCount: 2n,
  },
  model: {
    shockMultiplierBps: 35_000n,
    marginMultiplierBps: 12_500n,
    exitSeconds: 60n,
    logitVarianceRatioBps: 27_000n,
    bidHaircutBps: rateBps(5_000n),
    slipBps: rateBps(1_500n),
    exitBufferBps: rateBps(800n),
    minOfferLeverageBps: leverageBps(20_000n),
    fullExitShareBps: rateBps(3_333n),
  },
  statistics: {
    varianceHalfLifeMs: 480_000,
    varianceIntervalMs: 60_000,
    minPricePips: pricePips(100n),
    maxPricePips: pricePips(9_900n),
    minimumBidsWindowMs: 300_000,
    minimumBidsBucketMs: 10_000,
    midSpacingMs: 1_000,
    changeWindowMs: 300_000,
  },
  crypto: {
    five_minute: null,
    fifteen_minute: cryptoRow(120, 240),
    hourly: cryptoRow(300, 600),
    daily: cryptoRow(300, 600),
  },
  sport: {
    rows: {
      tennis: sportRow(112, 5_000n, winnerOnly),
      esport: sportRow(150, 5_000n, winnerOnly),
      basketball: sportRow(115, 5_000n, winnerOnly),
      baseball: sportRow(150, 7_500n, winnerOnly),
      cricket: sportRow(180, 7_500n, winnerOnly),
      american_football: sportRow(180, 7_500n, winnerOnly),
      ice_hockey: sportRow(180, 7_500n, winnerOnly),
      soccer: sportRow(110, 7_500n, []),
      table_tennis: sportRow(180, 7_500n, []),
      // The schedule of a sport nobody mapped is not trusted before its start.
      other: { ...sportRow(180, 7_500n, winnerOnly), isPregameEntryAllowed: false },
    },
    latestEntryElapsedBps: 7_500,
    hardExitElapsedBps: 9_000,
    minLeftSeconds: 720,
    inPlayPriceBand: { minPricePips: pricePips(4_000n), maxPricePips: pricePips(9_500n) },
    pregamePriceBand: cryptoBand,
    pregameJumpBps: 2_500n,
    pregameLatestEntrySeconds: 600,
    pregameHardExitSeconds: 300,
  },
  fees: {
    originationTiers: [
      { maxLeverageBps: leverageBps(30_000n), feeBps: rateBps(75n) },
      { maxLeverageBps: leverageBps(50_000n), feeBps: rateBps(100n) },
      { maxLeverageBps: leverageBps(75_000n), feeBps: rateBps(150n) },
      { maxLeverageBps: leverageBps(100_000n), feeBps: rateBps(200n) },
    ],
    lifetimeFeeAprBps: rateBps(1_000n),
    liquidationFeeBps: rateBps(100n),
    partnerOriginationFeeBps: rateBps(0n),
    partnerTradingFeeBps: rateBps(0n),
  },
  limits: {
    partner: {
      userNotionalUsdPips: usd(25_000n),
      sideNotionalUsdPips: usd(60_000n),
      marketNotionalUsdPips: usd(100_000n),
      partnerNotionalUsdPips: usd(1_000_000n),
      globalNotionalUsdPips: usd(1_000_000n),
      userBorrowUsdcUnits: usdc(20_000n),
      sideBorrowUsdcUnits: usdc(30_000n),
      marketBorrowUsdcUnits: usdc(50_000n),
      totalBorrowUsdcUnits: usdc(1_000_000n),
    },
    cryptoClusterMultiple: 12n,
    sportClusterMultiple: 2n,
    clusterAssetShareBps: rateBps(500n),
  },
  attestation: {
    confirmationSpanMs: 2_000,
    maxConfirmationSpanMs: 30_000,
    minSaleTokenUnits: 5_000_000n,
  },
  execution: {
    maxOpenAttempts: 3,
    retryDelayMs: 5_000,
    liquidationRetryDelayMs: 2_000,
    maxCloseRetryDelayMs: 300_000,
    completeFillBps: 9_900n,
  },
  quote: {
    windowSeconds: 15,
    graceSeconds: 30,
    minNotionalUsdPips: usd(5n),
    minCollateralUsdPips: usd(1n),
    maxLeverageBps: leverageBps(100_000n),
  },
};
