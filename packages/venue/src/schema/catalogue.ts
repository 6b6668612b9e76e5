import { z } from 'zod';
import { decimalText, informative, textList } from './wireTypes.ts';

const seriesSchema = z.looseObject({ slug: z.string(), title: informative(z.string()) });

const eventSchema = z.looseObject({
  slug: z.string(),
  title: informative(z.string()),
  series: informative(z.array(seriesSchema)),
  resolutionSource: informative(z.string()),
  gameId: informative(decimalText),
  live: informative(z.boolean()),
  ended: informative(z.boolean()),
  score: informative(z.string()),
  elapsed: informative(decimalText),
  period: informative(z.string()),
  gameStatus: informative(z.string()),
});

/**
 * Schedule of fees. Unreadable, it becomes "no schedule", which fails closed later; the flag of fees is read strictly.
 */
const feeScheduleSchema = z.looseObject({ rate: decimalText, exponent: decimalText });

/**
 * One record of `GET /markets`. Extra fields pass. Fields that decide identity, trading or money are strict when they
 * are there; everything else is informative. Every field but the slug may be absent.
 */
export const catalogueRecordSchema = z.looseObject({
  id: informative(decimalText),
  slug: z.string().min(1),
  version: z.string().nullish(),
  question: informative(z.string()),
  conditionId: z.string().nullish(),
  questionID: z.string().nullish(),
  endDate: informative(z.string()),
  eventStartTime: informative(z.string()),
  gameStartTime: informative(z.string()),
  closedTime: informative(z.string()),
  groupItemTitle: informative(z.string()),
  resolutionSource: informative(z.string()),
  description: informative(z.string()),
  gameId: informative(decimalText),
  sportsMarketType: informative(z.string()),
  outcomes: textList.nullish(),
  outcomePrices: informative(textList),
  clobTokenIds: textList.nullish(),
  positionIds: textList.nullish(),
  active: z.boolean().nullish(),
  closed: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  acceptingOrders: z.boolean().nullish(),
  enableOrderBook: z.boolean().nullish(),
  negRisk: z.boolean().nullish(),
  negRiskMarketID: informative(z.string()),
  orderPriceMinTickSize: decimalText.nullish(),
  orderMinSize: decimalText.nullish(),
  umaResolutionStatus: informative(z.string()),
  umaResolutionStatuses: informative(textList),
  bestBid: informative(decimalText),
  bestAsk: informative(decimalText),
  lastTradePrice: informative(decimalText),
  volume24hr: informative(decimalText),
  liquidityNum: informative(decimalText),
  openInterest: informative(decimalText),
  feesEnabled: z.boolean().nullish(),
  feeSchedule: informative(feeScheduleSchema),
  events: informative(z.array(eventSchema)),
});

export type CatalogueRecord = z.output<typeof catalogueRecordSchema>;
export type CatalogueEvent = z.output<typeof eventSchema>;
