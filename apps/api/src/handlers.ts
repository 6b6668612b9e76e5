import type { ContractTerms, PolicyConfig } from '@core/policy';
import type { Store } from '@core/store';
import type { QuoteSigner } from '@core/vault';
import { createToken } from './auth/createToken.ts';
import type { UserTokens } from './auth/userTokens.ts';
import type { ApiConfig } from './env.ts';
import type { Handlers, ReservingHandlers } from './http/call.ts';
import { PageCache } from './http/pageCache.ts';
import type { OnPoison } from './http/soundOnes.ts';
import type { KeeperView } from './markets/keeperView.ts';
import { getMarket, listEventMarkets, listMarkets, listSeriesMarkets, searchMarkets } from './markets/listMarkets.ts';
import type { MarketBoard } from './markets/marketBoard.ts';
import { getMarketStatistics, getOrderBook, getPriceHistory } from './markets/marketData.ts';
import type { MarketDirectory } from './markets/marketDirectory.ts';
import type { PoolView } from './markets/poolReader.ts';
import { type PastPriceSource, PriceHistories } from './markets/priceHistories.ts';
import {
  getPosition,
  listEventPositions,
  listMarketPositions,
  listPositions,
  listSeriesPositions,
} from './positions/listPositions.ts';
import { ownPositionFinder, positionObserver } from './positions/observePositions.ts';
import { getPositionTransactions, listPartialCloses, listUnwinds } from './positions/positionHistory.ts';
import { positionJsonWriter } from './positions/positionJson.ts';
import { createQuote } from './quotes/createQuote.ts';
import { createDraftQuote, promoteDraftQuote } from './quotes/draftQuotes.ts';
import { QuoteIssuer } from './quotes/issueQuote.ts';
import { quotePresenter } from './quotes/presentQuote.ts';
import { quoteDecider } from './quotes/quoteDecider.ts';
import { createSampleEvents } from './sockets/sampleRuns.ts';
import { getContractInfo } from './terms/contract.ts';
import { createFeeReport, getFeeRates } from './terms/fees.ts';
import { getPartnerLimits, getUserLimits } from './terms/limits.ts';
import type { VaultView } from './terms/vaultWatch.ts';

// One direction: auth → http → markets → terms, positions, quotes → sockets → this list → startApi → openApi → main.

/** Connections of one service. Only the lists below take it apart; no handler sees it. */
export interface ApiConnections {
  readonly config: ApiConfig;
  readonly policy: PolicyConfig;
  /** Read from the vault when the process started: immutable there. */
  readonly contract: ContractTerms;
  readonly store: Store;
  readonly signer: QuoteSigner;
  readonly userTokens: UserTokens;
  readonly markets: MarketDirectory;
  readonly board: MarketBoard;
  readonly pastPrices: PastPriceSource;
  readonly pool: PoolView;
  readonly keeper: KeeperView;
  readonly vault: VaultView;
  readonly onPoison: OnPoison;
}

/** The handler of every route, closed over what it needs. */
export function allHandlers(connections: ApiConnections): Handlers {
  const { config, contract, store, signer, userTokens, markets, keeper } = connections;
  return {
    createToken: createToken(userTokens),
    getContractInfo: getContractInfo({ ...config.contracts, chainId: config.chainId, signer: signer.address }),
    getFeeRates: getFeeRates({ markets, contract, keeper }),
    createFeeReport: createFeeReport({ markets, contract }),
    getPartnerLimits: getPartnerLimits(store.usage),
    getUserLimits: getUserLimits(store.usage),
    createSampleEvents: createSampleEvents(store.signals),
    ...marketHandlers(connections),
    ...positionHandlers(connections),
    ...draftHandlers(connections),
  };
}

function marketHandlers({ config, store, markets, board, pastPrices }: ApiConnections) {
  const pages = new PageCache(config.marketListAgeMs);
  const source = { markets, board, store: store.markets, pages };
  const data = { markets, histories: new PriceHistories(pastPrices) };
  return {
    listMarkets: listMarkets(source),
    searchMarkets: searchMarkets(source),
    getMarket: getMarket(source),
    listEventMarkets: listEventMarkets(source),
    listSeriesMarkets: listSeriesMarkets(source),
    getPriceHistory: getPriceHistory(data),
    getOrderBook: getOrderBook(data),
    getMarketStatistics: getMarketStatistics(data),
  };
}

function positionHandlers(connections: ApiConnections) {
  const { config, store, markets, policy, onPoison } = connections;
  const { idNamespace } = config;
  const { positions } = store;
  const findOwn = ownPositionFinder(positions, idNamespace);
  const observe = positionObserver({ positions, markets, policy });
  const lister = { positions, observe, jsonOf: positionJsonWriter(idNamespace), idNamespace, markets, onPoison };
  return {
    listPositions: listPositions(lister),
    listMarketPositions: listMarketPositions(lister),
    listEventPositions: listEventPositions(lister),
    listSeriesPositions: listSeriesPositions(lister),
    getPosition: getPosition({ findOwn, observe, idNamespace }),
    getPositionTransactions: getPositionTransactions({ findOwn, positions }),
    listPartialCloses: listPartialCloses({ findOwn, positions }),
    listUnwinds: listUnwinds({ findOwn, positions }),
  };
}

function draftHandlers(connections: ApiConnections) {
  const { drafts } = connections.store;
  return { createDraftQuote: createDraftQuote({ ...quotePartsOf(connections), drafts }) };
}

/** The handlers whose answer one statement stores and reserves for. */
export function reservingHandlers(connections: ApiConnections): ReservingHandlers {
  const { config, policy, store, pool, signer } = connections;
  const { usage, drafts } = store;
  const { idNamespace } = config;
  const parts = quotePartsOf(connections);
  const { deployment } = parts;
  const issuer = new QuoteIssuer({ decider: parts.decider, pool, policy, deployment, signer });
  return {
    createQuote: createQuote({ ...parts, issuer }),
    promoteDraftQuote: promoteDraftQuote({ ...parts, drafts, usage, issuer, idNamespace }),
  };
}

function quotePartsOf({ config, contract, markets, keeper, vault, signer, policy }: ApiConnections) {
  const { keccak256 } = signer;
  const deployment = { chainId: config.chainId, vault: config.contracts.vault, keccak256 };
  return {
    markets,
    deployment,
    decider: quoteDecider({ contract, switches: config.switches, keeper, vault }),
    present: quotePresenter(
      { ...deployment, usdc: config.contracts.usdc, route: policy.openingRoute },
      config.idNamespace,
    ),
  };
}
