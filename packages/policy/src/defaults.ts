import { observationDefaults, type SportLine } from '@core/market';
import { constants, leverageBps, pricePips, rateBps, usdcUnits, usdPips } from '@core/pricing';
import type { CryptoRow, PolicyConfig, PriceBand, SportRow } from './config.ts';

// In play only two-way winners were viable: spreads, totals and three-way markets lost at every leverage.
const winnerOnly: readonly SportLine[] = ['winner'];
// Below 0.30 the books of hourly markets vanish when they are needed; near one nothing is left to win.
const cryptoBand: PriceBand = { minPricePips: pricePips(3_000n), maxPricePips: pricePips(9_500n) };

function cryptoRow(hardExitSeconds: number, latestEntrySeconds: number): CryptoRow {
  return { hardExitSeconds, latestEntrySeconds, jumpBps: 0n, priceBand: cryptoBand };
}

function sportRow(jumpBps: bigint, inPlayLines: readonly SportLine[]): SportRow {
  return { jumpBps, inPlayLines, isPregameEntryAllowed: true };
}

const usd = (dollars: bigint) => usdPips(dollars * 10_000n);
const usdc = (dollars: bigint) => usdcUnits(dollars * 1_000_000n);

/** The one table of policy numbers: the starting policy of the risk study and the gate numbers of the definitions. */
export const policyDefaults: PolicyConfig = {
  // The model alone, as it was fitted: service and replay add the bounds of the route that they open on.
  openingRoute: 'direct',
  ages: {
    ...observationDefaults.ages,
    maxPriceAgeMs: 5_000,
    maxSpotAgeMs: 5_000,
    // Scores arrive about every two minutes; one missed message is no reason to refuse, two are.
    maxSportAgeMs: 180_000,
    maxTwapSampleAgeMs: 10_000,
    // The second source is read in turn for every market, so it is older than the book it is held against.
    maxSecondSourceAgeMs: 30_000,
    maxLastTradeAgeMs: 60_000,
    // A keeper outage of 2 in 20 minutes was survivable, 5 was not: nothing opens once it is silent for one.
    maxKeeperHeartbeatAgeMs: 60_000,
    // A debt opened where none is watched would be noticed too late: debts are checked every second.
    maxDebtWatchAgeMs: 5_000,
    // Silence is read as news not yet seen: the variance counts twice until the feed speaks again.
    maxSpotSilenceMs: 15_000,
    maxSportSilenceMs: 180_000,
  },
  entry: {
    // The spread is paid twice, on the way in and in every forced sale.
    maxSpreadPricePips: pricePips(500n),
    // Three times the size within five cents: when depth fell ten-fold between quote and exit the loss was 11 %.
    depthBandPricePips: pricePips(500n),
    depthMultiple: 3n,
    // One holder with more than half can move price and depth alone.
    maxTopHolderShareBps: rateBps(5_000n),
    minVolume24hUsdPips: usd(1_000n),
    // Off by default: volume and depth say more; an operator may set it.
    minOpenInterestUsdPips: usd(0n),
    // Ten cents between two views of one market is no price but a broken feed.
    maxDivergencePricePips: pricePips(1_000n),
    // With less room than two ticks there is no price left at which a liquidation could still be filled.
    minTickCount: 2n,
  },
  model: {
    // k, κ and the exit time of the odds shock; fitted on recorded markets, judged by the replay. The exit time holds
    // until a category's own was measured.
    shockMultiplierBps: 35_000n,
    marginMultiplierBps: 11_000n,
    exitSeconds: 60n,
    // Measured: the logit variance of a market that must resolve is about 2.7 times its probit variance.
    logitVarianceRatioBps: 27_000n,
    // Half of what was bid in the worst moment of five minutes: bids vanish first when they are needed.
    bidHaircutBps: rateBps(5_000n),
    // Refusing sales below this nearly halved the losses in sport; 5 % raised those in crypto six-fold, because it
    // blocked the exits that save.
    slipBps: rateBps(1_500n),
    maxSlipBps: rateBps(2_000n),
    slipWideningMs: 120_000,
    // Room for the sale of a liquidation, fixed by the opening attestation; what the sale leaves is the user's.
    exitBufferBps: rateBps(800n),
    // Leverage below 2x is not worth its fees; larger sizes may still be revised down to 1.5x.
    minSideLeverageBps: leverageBps(20_000n),
  },
  statistics: observationDefaults.statistics,
  crypto: {
    // No exit in time: short markets resolve before a sale is settled.
    five_minute: null,
    fifteen_minute: null,
    hourly: cryptoRow(300, 600),
    daily: cryptoRow(300, 600),
  },
  sport: {
    rows: {
      // The jump is the score that decides most in one event.
      tennis: sportRow(4_000n, winnerOnly),
      esport: sportRow(4_000n, winnerOnly),
      basketball: sportRow(4_000n, winnerOnly),
      baseball: sportRow(6_500n, winnerOnly),
      cricket: sportRow(6_500n, winnerOnly),
      american_football: sportRow(6_500n, winnerOnly),
      ice_hockey: sportRow(6_500n, winnerOnly),
      // In play one event decides too much of these: they are entered before the game only.
      soccer: sportRow(6_500n, []),
      table_tennis: sportRow(6_500n, []),
      // The schedule of an unmapped sport is not trusted before its start.
      other: { ...sportRow(6_500n, winnerOnly), isPregameEntryAllowed: false },
    },
    // The last quarter of a game decides the largest part of it; debt is repaid before the last tenth.
    latestEntryElapsedBps: 7_500,
    hardExitElapsedBps: 9_000,
    // Games run longer than planned: below twelve minutes the schedule is not trusted.
    minLeftSeconds: 720,
    // In play the losing side of a game collapses; only favourites and even games were viable.
    inPlayPriceBand: { minPricePips: pricePips(4_000n), maxPricePips: pricePips(9_500n) },
    pregamePriceBand: { minPricePips: pricePips(1_000n), maxPricePips: pricePips(9_500n) },
    // Before the start nothing but news moves the odds; the debt is repaid when play begins.
    pregameJumpBps: 2_000n,
    pregameLatestEntrySeconds: 600,
    pregameHardExitSeconds: 300,
  },
  fees: {
    // The fee of the opening carries the pool: debt lives minutes, so a yearly rate earns next to nothing.
    originationTiers: [
      { maxLeverageBps: leverageBps(30_000n), feeBps: rateBps(75n) },
      { maxLeverageBps: leverageBps(50_000n), feeBps: rateBps(100n) },
      { maxLeverageBps: leverageBps(75_000n), feeBps: rateBps(150n) },
      { maxLeverageBps: constants.maxLeverageBps, feeBps: rateBps(200n) },
    ],
    lifetimeFeeAprBps: rateBps(1_000n),
    liquidationFeeBps: rateBps(100n),
    partnerOriginationFeeBps: rateBps(0n),
    partnerTradingFeeBps: rateBps(0n),
  },
  limits: {
    // Maximum of one user, outcome or market against the pool, whatever the books would take.
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
    // One crypto hour over all assets is one bet, one game over all its lines another.
    cryptoClusterMultiple: 12n,
    sportClusterMultiple: 2n,
    clusterAssetShareBps: rateBps(500n),
  },
  attestation: {
    // Two observations seconds apart, so that one print liquidates no position, and not so far apart that they are
    // two different markets.
    confirmationSpanMs: 2_000,
    maxConfirmationSpanMs: 30_000,
  },
  unwind: {
    // At most one order a second for an attestation each; a hard exit has its whole window and asks more calmly.
    retryDelayMs: 1_000,
    hardExitDelayMs: 2_000,
    // A third less: the part of the book that held still is found in few orders.
    smallerBps: 6_667n,
    // The most that the vault deploys with; an exchange that lifts its limit stops sales instead of eating them.
    maxVenueFeeBps: rateBps(1_000n),
  },
  grant: {
    // Long enough for several fillers, and short for debts: what is not sold falls further meanwhile.
    validForSeconds: { open: 12, close: 12, unwind: 6, liquidate: 6 },
    maxSeconds: 20,
    bandBps: {
      open: rateBps(500n),
      close: rateBps(500n),
      pricedClose: rateBps(2_000n),
      unwind: rateBps(1_000n),
      liquidate: rateBps(2_000n),
    },
    costBps: {
      open: rateBps(1_000n),
      close: rateBps(1_000n),
      pricedClose: rateBps(2_000n),
      unwind: rateBps(1_500n),
      liquidate: rateBps(2_000n),
    },
    // The terms of the shipped filler: at a tick of a tenth of a cent they are more than a tick. Two cents are 430,000
    // gas, a fill with a pair, at 190 gwei and 25 cents a POL; five would be a percent of the smallest size.
    fillerCost: { marginBps: rateBps(10n), gasUsdcUnits: usdcUnits(20_000n) },
    maxVenueFeeBps: rateBps(1_000n),
    // The vault takes six seconds: two are left for signatures and a block.
    maxAgeSeconds: 4,
    // A grant is an option on a stale mark: one deviation may take a third of the collateral and no more.
    jumpMultiplierBps: 10_000n,
    jumpShareBps: 3_333n,
    // Crypto results are known before the chain has them, as soon as their average is complete.
    averagedEndSeconds: 60,
    // An opening without a fill in two grants has a poor price, and each grant is a free option on its mark.
    maxOpenAttempts: 2,
    // Two openings: one alone may have a poor price. A trial each ten minutes costs its user a refund and no more.
    unfilledCount: 3,
    fillWindowMs: 600_000,
  },
  exit: {
    // A day has quiet and busy hours; fifty sales are enough for the 95th percentile to be one of three slowest.
    windowMs: 86_400_000,
    minimumSaleCount: 50,
    // The time a working keeper needs, and twice that for one without a record.
    assumedMs: { some: 15_000, none: 30_000 },
    // At 30 s the pool earns little at any leverage; beyond that nothing was replayed that earns.
    maxExitMs: 30_000,
    // On recorded markets twice the time and ten seconds kept the loss below a fifth of a percent at every s.
    multiple: 2,
    addedSeconds: 10,
    // Sport was replayed at 60 s only: it follows the measured time upwards alone.
    minimumSeconds: { crypto: 15, sport: 60 },
    maximumSeconds: 80,
    stepSeconds: 5,
    loweringIntervalMs: 3_600_000,
  },
  ladder: {
    // Two steps before the cover ends: each of them is a sale with its fee.
    rungCount: 2,
  },
  execution: {
    // One killed order may be chance; after three the market has moved away and the user is refunded.
    maxOpenAttempts: 3,
    maxPartialAttempts: null,
    retryDelayMs: 5_000,
    // What a liquidation could not sell falls further meanwhile, so it asks again sooner than an opening.
    liquidationRetryDelayMs: 2_000,
    maxCloseRetryDelayMs: 300_000,
    // The time an exit is taken to last until it is measured: a signer that changes its mind is late by no more.
    maxUnwindRetryDelayMs: 15_000,
    // Orders have two decimals, so a complete one may leave up to a cent of its money.
    completeFillBps: 9_900n,
  },
  quote: {
    // Long enough to sign and send, short enough that the book has not moved; the grace covers late blocks.
    windowSeconds: 15,
    graceSeconds: 30,
    minNotionalUsdPips: usd(5n),
    minCollateralUsdPips: usd(1n),
    maxLeverageBps: constants.maxLeverageBps,
  },
};
