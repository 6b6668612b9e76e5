import { z } from 'zod';
import { fillCost, fillReport } from './fillReport.ts';
import type { CoinReading } from './keeperCoin.ts';

const exitReport = z.object({
  category: z.string(),
  /** Sales in the window, and the 95th percentile of their time from trigger to settled sale; null without any. */
  saleCount: z.number(),
  p95Ms: z.number().nullable(),
  /** The exit time that leverage rests on now. */
  exitSeconds: z.number(),
  /** False while the category takes no quotes. */
  isOpen: z.boolean(),
});

const priceSignerReport = z.object({
  /** Host and port. */
  name: z.string(),
  /** Key it signs with; null until it reported one. */
  address: z.string().nullable(),
  isAnswering: z.boolean(),
  /** The vault takes its signature. */
  isAppointed: z.boolean(),
});

/** Shares of one count that were checked together. */
const shareGroup = z.object({
  shareCount: z.number(),
  /** Their numbers, ascending. */
  shares: z.array(z.number()),
  /** False for those that it released. */
  isHeld: z.boolean(),
  /** Age of the last check of their debts, at the time of the report; null before the first check. */
  debtWatchAgeMs: z.number().nullable(),
});

/** Amount of wei in decimal digits: JSON has no number of that size. */
const weiText = z.string().regex(/^\d{1,78}$/);

const coinReport = z.object({ balanceWei: weiText, minimumWei: weiText, reserveWei: weiText });

const chainReport = z.object({
  /** Age of the last block on the service clock; null before one was read. */
  headAgeMs: z.number().nullable(),
  /** Lead of the last block's time over the service clock. */
  leadMs: z.number(),
  /** Time for which the keeper's transactions have been waiting to be mined; 0 while none waits. */
  nonceAgeMs: z.number(),
  /** Answer of the node that refused a waiting transaction; null without one. */
  refusal: z.string().nullable().default(null),
  /** Native coin of the keeper's account beside what it needs; null before it was read. */
  coin: coinReport.nullable().default(null),
  /** Problems that keep the keeper from working: nothing may be opened while there is one. */
  problems: z.array(z.string()),
});

const keeperReport = z.object({
  address: z.string(),
  /** The chain as it sees it; absent from a keeper of an earlier version. */
  chain: chainReport.optional(),
  isVenueTakingOrders: z.boolean(),
  /** As many price signers answer as an order needs. */
  isPriceSignerAnswering: z.boolean(),
  /** Signatures that an order needs: the threshold; in an alarm all but one, if more. Null until it was read. */
  requiredSignatures: z.number().nullable(),
  priceSigners: z.array(priceSignerReport),
  /** Shares of the markets that this keeper serves, and those it released a moment ago. */
  shareGroups: z.array(shareGroup),
  /** Markets with debts that this check could not see. */
  unseenTickers: z.array(z.string()),
  exits: z.array(exitReport),
  /** Empty on the route Direct, and from a keeper of an earlier version. */
  fills: z.array(fillReport).default([]),
  fillCosts: z.array(fillCost).default([]),
});

/** Report of a keeper, written with its heartbeat: everything a quote has to know of it. */
export type KeeperReport = z.output<typeof keeperReport>;
/** Chain and own transactions of a keeper in its report. */
export type ChainReport = z.output<typeof chainReport>;
export type ExitReport = z.output<typeof exitReport>;

/** Return the native coin of an account as a heartbeat reports it. */
export function coinReportOf({ balanceWei, minimumWei, reserveWei }: CoinReading): ChainReport['coin'] {
  return { balanceWei: `${balanceWei}`, minimumWei: `${minimumWei}`, reserveWei: `${reserveWei}` };
}

/** Return the chain of a keeper as the operational endpoints of keeper and API show it. */
export function presentChainReport({ headAgeMs, leadMs, nonceAgeMs, refusal, coin, problems }: ChainReport) {
  return {
    head_age_ms: headAgeMs,
    lead_ms: leadMs,
    nonce_age_ms: Math.round(nonceAgeMs),
    refusal,
    coin: coin && { balance_wei: coin.balanceWei, minimum_wei: coin.minimumWei, reserve_wei: coin.reserveWei },
    problems,
  };
}

/** The report in the detail of a heartbeat; null for a detail that is none. */
export function keeperReportOf(detail: unknown): KeeperReport | null {
  return keeperReport.safeParse(detail).data ?? null;
}
