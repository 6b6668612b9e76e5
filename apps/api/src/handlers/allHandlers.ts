import type { Handlers } from '../http/call.ts';
import type { Service } from '../service.ts';
import { createDraftQuote } from './createDraftQuote.ts';
import { createFeeReport } from './createFeeReport.ts';
import { createQuote } from './createQuote.ts';
import { createToken } from './createToken.ts';
import { getContractInfo } from './getContractInfo.ts';
import { getFeeRates } from './getFeeRates.ts';
import { getPartnerLimits, getUserLimits } from './limits.ts';
import { getMarket, listEventMarkets, listMarkets, listSeriesMarkets, searchMarkets } from './listMarkets.ts';
import { listPartialCloses, listUnwinds } from './positionHistory.ts';
import {
  getPosition,
  getPositionTransactions,
  listEventPositions,
  listMarketPositions,
  listPositions,
  listSeriesPositions,
} from './positions.ts';
import { promoteDraftQuote } from './promoteDraftQuote.ts';

/** The handler of every route that is built; the others stand in `notImplementedRoutes`. */
export function allHandlers(service: Service): Handlers {
  return {
    createToken: createToken(service),
    getContractInfo: getContractInfo(service),
    getFeeRates: getFeeRates(service),
    createFeeReport: createFeeReport(service),
    getPartnerLimits: getPartnerLimits(service),
    getUserLimits: getUserLimits(service),
    listMarkets: listMarkets(service),
    searchMarkets: searchMarkets(service),
    getMarket: getMarket(service),
    listEventMarkets: listEventMarkets(service),
    listSeriesMarkets: listSeriesMarkets(service),
    listPositions: listPositions(service),
    listMarketPositions: listMarketPositions(service),
    listEventPositions: listEventPositions(service),
    listSeriesPositions: listSeriesPositions(service),
    getPosition: getPosition(service),
    getPositionTransactions: getPositionTransactions(service),
    listPartialCloses: listPartialCloses(service),
    listUnwinds: listUnwinds(service),
    createQuote: createQuote(service),
    createDraftQuote: createDraftQuote(service),
    promoteDraftQuote: promoteDraftQuote(service),
  };
}
