import { z } from 'zod';
import {
  marketListQuery,
  marketQuery,
  marketSearchQuery,
  marketStatisticsQuery,
  priceHistoryQuery,
} from './requests/marketQueries.ts';
import {
  partialCloseListQuery,
  positionListQuery,
  positionQuery,
  unwindListQuery,
} from './requests/positionQueries.ts';
import { nameText, noQuery } from './requests/query.ts';
import {
  draftQuery,
  feeRatesQuery,
  feeReportRequest,
  promotionRequest,
  quoteQuery,
  quoteRequest,
  tokenRequest,
} from './requests/quoteRequest.ts';
import { contractInfo } from './resources/contractInfo.ts';
import { feeRates, feeReport } from './resources/fees.ts';
import { limitUsage } from './resources/limitUsage.ts';
import { listOf } from './resources/list.ts';
import { market } from './resources/market.ts';
import { marketStatistics, orderBook, priceHistory } from './resources/marketData.ts';
import { partialClose } from './resources/partialClose.ts';
import { position } from './resources/position.ts';
import { positionTransactions } from './resources/positionTransactions.ts';
import { draftQuote, quote } from './resources/quote.ts';
import { sampleEventRun } from './resources/sampleEvents.ts';
import { token } from './resources/token.ts';
import { unwindList } from './resources/unwinds.ts';
import type { RouteDefinition } from './routes/route.ts';
import { draftCodes, feeReportCodes, idempotentCodes, quoteCodes } from './routes/routeCodes.ts';

const noParams = z.strictObject({});
const tickerParams = z.strictObject({ ticker: nameText });
const eventParams = z.strictObject({ event_ticker: nameText });
const seriesParams = z.strictObject({ series_ticker: nameText });
const positionParams = z.strictObject({ position_id: nameText });

const marketList = { status: 200, schema: listOf(market, 'MarketList') } as const;
const positionList = { status: 200, schema: listOf(position, 'PositionList') } as const;

const reads = { method: 'GET', aliases: [], deprecated: false, throttle: 'standard', body: null } as const;
const writes = { method: 'POST', aliases: [], deprecated: false, query: noQuery } as const;
const marketRoute = { ...reads, tag: 'Markets', auth: 'user_or_partner', query: marketListQuery } as const;
const positionRoute = { ...reads, tag: 'Positions', auth: 'user' } as const;
const quoteRoute = { ...writes, tag: 'Quotes', auth: 'user', throttle: 'quoteCreation', query: quoteQuery } as const;

/**
 * Table of all endpoints of the specification, deprecated ones included. Method, path, aliases, credential, throttle,
 * schemas and codes of an endpoint are defined here only.
 */
export const routes = {
  createToken: {
    ...writes,
    tag: 'Auth and reference data',
    path: '/tokens',
    summary: 'Create a token for a wallet whose ownership the partner has verified',
    auth: 'partner',
    throttle: 'tokens',
    params: noParams,
    body: tokenRequest,
    response: { status: 201, schema: token },
    codes: ['customer_auth_invalid_wallet_address', ...idempotentCodes],
  },
  getContractInfo: {
    ...reads,
    tag: 'Auth and reference data',
    path: '/contract-info',
    summary: 'Chain, signer, stablecoin and vault addresses',
    auth: 'public',
    params: noParams,
    query: noQuery,
    response: { status: 200, schema: contractInfo },
    codes: [],
  },
  getFeeRates: {
    ...reads,
    tag: 'Auth and reference data',
    path: '/fee-rates',
    summary: 'Fee rates of the caller, and of a market when a ticker is given',
    auth: 'user',
    params: noParams,
    query: feeRatesQuery,
    response: { status: 200, schema: feeRates },
    codes: ['customer_market_not_found', 'quote_market_not_ready'],
  },
  createFeeReport: {
    ...writes,
    tag: 'Auth and reference data',
    path: '/fee-reports',
    summary: 'All fees of a size and leverage; creates no quote and signs nothing',
    auth: 'user',
    throttle: 'standard',
    params: noParams,
    body: feeReportRequest,
    response: { status: 200, schema: feeReport },
    codes: [...feeReportCodes, ...idempotentCodes],
  },
  getPartnerLimits: {
    ...reads,
    tag: 'Auth and reference data',
    path: '/partner-limits',
    summary: 'Notional limit of the partner with usage and remaining',
    auth: 'partner',
    params: noParams,
    query: noQuery,
    response: { status: 200, schema: limitUsage },
    codes: [],
  },
  getUserLimits: {
    ...reads,
    tag: 'Auth and reference data',
    path: '/user-limits',
    summary: 'Notional limit of the wallet with usage and remaining',
    auth: 'user',
    params: noParams,
    query: noQuery,
    response: { status: 200, schema: limitUsage },
    codes: [],
  },

  listMarkets: {
    ...marketRoute,
    path: '/markets',
    summary: 'List markets',
    params: noParams,
    response: marketList,
    codes: [],
  },
  searchMarkets: {
    ...marketRoute,
    path: '/markets/search',
    summary: 'Search markets; use the list with `query`',
    deprecated: true,
    params: noParams,
    query: marketSearchQuery,
    response: marketList,
    codes: [],
  },
  getMarket: {
    ...marketRoute,
    path: '/markets/{ticker}',
    summary: 'One market',
    params: tickerParams,
    query: marketQuery,
    response: { status: 200, schema: market },
    codes: ['customer_market_not_found'],
  },
  listEventMarkets: {
    ...marketRoute,
    path: '/events/{event_ticker}/markets',
    summary: 'Markets of an event',
    params: eventParams,
    response: marketList,
    codes: ['customer_event_not_found'],
  },
  listSeriesMarkets: {
    ...marketRoute,
    path: '/series/{series_ticker}/markets',
    summary: 'Markets of all events of a series',
    params: seriesParams,
    response: marketList,
    codes: ['customer_series_not_found'],
  },
  getPriceHistory: {
    ...marketRoute,
    path: '/markets/{ticker}/price-history',
    summary: 'Past prices of a market (house extension)',
    params: tickerParams,
    query: priceHistoryQuery,
    response: { status: 200, schema: priceHistory },
    codes: ['customer_market_not_found'],
  },
  getOrderBook: {
    ...marketRoute,
    path: '/markets/{ticker}/order-book',
    summary: 'Order books of a market (house extension)',
    params: tickerParams,
    query: noQuery,
    response: { status: 200, schema: orderBook },
    codes: ['customer_market_not_found'],
  },
  getMarketStatistics: {
    ...marketRoute,
    path: '/market-statistics',
    summary: 'Volume, liquidity and price change of several markets (house extension)',
    params: noParams,
    query: marketStatisticsQuery,
    response: { status: 200, schema: listOf(marketStatistics, 'MarketStatisticsList') },
    codes: [],
  },

  listPositions: {
    ...positionRoute,
    path: '/positions',
    summary: "The caller's positions",
    params: noParams,
    query: positionListQuery,
    response: positionList,
    codes: [],
  },
  listMarketPositions: {
    ...positionRoute,
    path: '/markets/{ticker}/positions',
    summary: "The caller's positions in a market",
    params: tickerParams,
    query: positionListQuery,
    response: positionList,
    codes: ['customer_market_not_found'],
  },
  listEventPositions: {
    ...positionRoute,
    path: '/events/{event_ticker}/positions',
    summary: "The caller's positions in the markets of an event",
    params: eventParams,
    query: positionListQuery,
    response: positionList,
    codes: ['customer_event_not_found'],
  },
  listSeriesPositions: {
    ...positionRoute,
    path: '/series/{series_ticker}/positions',
    summary: "The caller's positions in the markets of a series",
    params: seriesParams,
    query: positionListQuery,
    response: positionList,
    codes: ['customer_series_not_found'],
  },
  getPosition: {
    ...positionRoute,
    path: '/positions/{position_id}',
    summary: 'One position',
    params: positionParams,
    query: positionQuery,
    response: { status: 200, schema: position },
    codes: ['customer_position_not_found'],
  },
  getPositionTransactions: {
    ...positionRoute,
    path: '/positions/{position_id}/transactions',
    summary: 'Final transactions of a position in nine groups',
    params: positionParams,
    query: noQuery,
    response: { status: 200, schema: positionTransactions },
    codes: ['customer_position_transactions_not_found'],
  },
  listPartialCloses: {
    ...positionRoute,
    path: '/positions/{position_id}/partial-closes',
    summary: 'Executed partial closes of a position in order of time',
    params: positionParams,
    query: partialCloseListQuery,
    response: { status: 200, schema: listOf(partialClose, 'PartialCloseList') },
    codes: ['customer_position_not_found'],
  },
  listUnwinds: {
    ...positionRoute,
    path: '/positions/{position_id}/unwinds',
    summary: 'Unwinds of a position; use `expand=unwinds`',
    deprecated: true,
    params: positionParams,
    query: unwindListQuery,
    response: { status: 200, schema: unwindList },
    codes: ['customer_position_not_found'],
  },

  createQuote: {
    ...quoteRoute,
    path: '/quotes',
    aliases: ['/offers'],
    summary: 'Create a signed quote',
    params: noParams,
    body: quoteRequest,
    response: { status: 201, schema: quote },
    codes: [...quoteCodes, ...idempotentCodes],
  },
  createDraftQuote: {
    ...quoteRoute,
    path: '/draft-quotes',
    aliases: ['/draft-offers'],
    summary: 'Create a draft quote: all figures, no reservation, no signature',
    query: draftQuery,
    params: noParams,
    body: quoteRequest,
    response: { status: 201, schema: draftQuote },
    codes: [...draftCodes, ...idempotentCodes],
  },
  promoteDraftQuote: {
    ...quoteRoute,
    path: '/promoted-quotes/{draft_quote_id}',
    aliases: ['/promoted-offers/{draft_offer_id}'],
    summary: 'Promote a draft to a signed quote',
    params: z.strictObject({ draft_quote_id: nameText }),
    body: promotionRequest,
    response: { status: 201, schema: quote },
    codes: ['not_found', ...quoteCodes, ...idempotentCodes],
  },

  createSampleEvents: {
    ...writes,
    tag: 'Events',
    path: '/sample-events',
    summary: "Send one event of every type to the caller's own socket",
    auth: 'user_or_partner',
    throttle: 'sampleEvents',
    params: noParams,
    body: promotionRequest,
    response: { status: 202, schema: sampleEventRun },
    codes: [...idempotentCodes],
  },
} as const satisfies Record<string, RouteDefinition>;

/** Name of an endpoint. */
export type RouteName = keyof typeof routes;
