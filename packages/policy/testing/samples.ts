import { times, usd, usdc } from '@core/market/testing';
import { rateBps } from '@core/pricing';
import type { ContractTerms, NotionalUsage, QuoteRequest, ServiceSnapshot, UsageSnapshot } from '../src/index.ts';

export {
  ladderBook,
  level,
  price,
  sampleBook,
  sampleCrypto,
  sampleFacts,
  sampleNowMs,
  sampleSide,
  sampleSnapshot,
  sampleSport,
  sampleSportSnapshot,
  times,
  usd,
  usdc,
} from '@core/market/testing';

export function sampleRequest(overrides: Partial<QuoteRequest> = {}): QuoteRequest {
  return {
    walletAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    side: 'yes',
    leverageBps: times(3),
    notionalUsdPips: usd(100),
    slippageBps: rateBps(300n),
    allowRevision: false,
    allowPartialFill: false,
    minFillBps: null,
    draftEntryPricePips: null,
    ...overrides,
  };
}

export const sampleService: ServiceSnapshot = {
  isQuoteCreationEnabled: true,
  isPartialOpenEnabled: true,
  keeperHeartbeatAgeMs: 1_000,
  isVenueTakingOrders: true,
  isPriceSignerAnswering: true,
  isExitQuick: true,
  areGrantsFilled: true,
  debtWatchAgeMs: 1_000,
};

/** Limits of the vault of this repository; a pure decision cannot read them. */
export const sampleContract: ContractTerms = { maxOriginationFeeBps: rateBps(500n) };

const noUsage: NotionalUsage = { activeNotionalUsdPips: usd(0), inFlightNotionalUsdPips: usd(0) };

/** Nothing in use, and the local stack's pool: 500,000 USDC of liquidity and 25,000 of reserve. */
export function sampleUsage(overrides: Partial<UsageSnapshot> = {}): UsageSnapshot {
  return {
    user: noUsage,
    market: noUsage,
    yes: noUsage,
    no: noUsage,
    partner: noUsage,
    global: noUsage,
    userBorrowedUsdcUnits: usdc(0),
    marketBorrowedUsdcUnits: usdc(0),
    yesBorrowedUsdcUnits: usdc(0),
    noBorrowedUsdcUnits: usdc(0),
    clusterBorrowedUsdcUnits: usdc(0),
    yesOutcomeHeadroomUsdcUnits: null,
    noOutcomeHeadroomUsdcUnits: null,
    promisedBorrowUsdcUnits: usdc(0),
    lentBorrowUsdcUnits: usdc(0),
    pool: {
      idleUsdcUnits: usdc(500_000),
      reserveUsdcUnits: usdc(25_000),
      lentUsdcUnits: usdc(0),
      impairedUsdcUnits: usdc(0),
      freeLiquidityUsdcUnits: usdc(400_000),
    },
    ...overrides,
  };
}
