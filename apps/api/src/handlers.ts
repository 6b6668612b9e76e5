import type { ContractTerms, PolicyConfig } from '@core/policy';
import type { Store } from '@core/store';
import type { QuoteSigner } from '@core/vault';
import { createToken } from './auth/createToken.ts';
import type { UserTokens } from './auth/userTokens.ts';
import type { ApiConfig } from './env.ts';
import type { Handlers, Preparers } from './http/call.ts';
import { PageCache } from './http/pageCache.ts';
import type { KeeperView } from './markets/keeperView.ts';
import { getMarket, listEventMarkets, listMarkets, listSeriesMarkets, searchMarkets } from './markets/listMarkets.ts';
import type { MarketBoard } from './markets/marketBoard.ts';
import type { MarketDirectory } from './markets/marketDirectory.ts';
import type { PoolView } from './markets/poolReader.ts';
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
import {
  quotedRiskSigner,
  quoteIssuer,
  quoteRecordSigner,
  quoteReserver,
  reservationBuilder,
  usageObserver,
} from './quotes/issueQuote.ts';
import { quotePresenter } from './quotes/presentQuote.ts';
import { quoteDecider } from './quotes/quoteDecider.ts';
import { createSampleEvents } from './sockets/sampleRuns.ts';
import { getContractInfo } from './terms/contract.ts';
import { createFeeReport, getFeeRates } from './terms/fees.ts';
import { getPartnerLimits, getUserLimits } from './terms/limits.ts';

// One direction: auth → http → markets → terms, positions, quotes → sockets → this list → startApi → main.

/** What was opened for one service. Only the lists below take it apart; no handler sees it. */
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
  readonly pool: PoolView;
  readonly keeper: KeeperView;
}

/** The handler of every route, closed over what it needs. */
export function allHandlers(connections: ApiConnections): Handlers {
  const { config, contract, store, signer, userTokens, markets } = connections;
  return {
    createToken: createToken(userTokens),
    getContractInfo: getContractInfo({ ...config.contracts, chainId: config.chainId, signer: signer.address }),
    getFeeRates: getFeeRates({ markets, contract }),
    createFeeReport: createFeeReport({ markets, contract }),
    getPartnerLimits: getPartnerLimits(store.usage),
    getUserLimits: getUserLimits(store.usage),
    createSampleEvents: createSampleEvents(store.signals),
    ...marketHandlers(connections),
    ...positionHandlers(connections),
    ...quoteHandlers(connections),
  };
}

function marketHandlers({ config, store, markets, board }: ApiConnections) {
  const pages = new PageCache(config.marketListAgeMs);
  const source = { markets, board, store: store.markets, pages };
  return {
    listMarkets: listMarkets(source),
    searchMarkets: searchMarkets(source),
    getMarket: getMarket(source),
    listEventMarkets: listEventMarkets(source),
    listSeriesMarkets: listSeriesMarkets(source),
  };
}

function positionHandlers({ config: { idNamespace }, store: { positions }, markets }: ApiConnections) {
  const findOwn = ownPositionFinder(positions, idNamespace);
  const observe = positionObserver({ positions, markets });
  const lister = { positions, observe, jsonOf: positionJsonWriter(idNamespace), idNamespace, markets };
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

function quoteHandlers(connections: ApiConnections) {
  const { config, store, markets } = connections;
  const { idNamespace } = config;
  const { usage, quotes, drafts } = store;
  const steps = quoteStepsOf(connections);
  const { decider, observeUsage, present, deployment } = steps;
  const issue = quoteIssuer({ observeUsage, decide: decider.decide, reserve: quoteReserver({ quotes, ...steps }) });
  return {
    createDraftQuote: createDraftQuote({ markets, decider, drafts, present }),
    promoteDraftQuote: promoteDraftQuote({ markets, drafts, usage, issue, present, deployment, idNamespace }),
  };
}

/** Routes whose one effect is a statement of the pipeline. */
export function allPreparers(connections: ApiConnections): Preparers {
  return { createQuote: createQuote({ markets: connections.markets, ...quoteStepsOf(connections) }) };
}

function quoteStepsOf({ config, policy, contract, store, pool, keeper, signer }: ApiConnections) {
  const { keccak256 } = signer;
  const deployment = { chainId: config.chainId, vault: config.contracts.vault, keccak256 };
  return {
    deployment,
    decider: quoteDecider({ contract, switches: config.switches, keeper }),
    observeUsage: usageObserver({ usage: store.usage, pool, deployment }),
    reservationOf: reservationBuilder({ deployment, policy, pool, signRisk: quotedRiskSigner(signer, deployment) }),
    sign: quoteRecordSigner(signer),
    present: quotePresenter({ ...deployment, usdc: config.contracts.usdc }, config.idNamespace),
  };
}
