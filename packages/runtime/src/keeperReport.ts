import { z } from 'zod';

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
  /** The key it signs with, as far as it ever said. */
  address: z.string().nullable(),
  isAnswering: z.boolean(),
  /** The vault takes its signature. */
  isAppointed: z.boolean(),
});

const shareReport = z.object({
  share: z.number(),
  /** False for one that it gave away. */
  isHeld: z.boolean(),
  /** Time since its debts were last looked at, when the report was made; null before the first look. */
  debtWatchAgeMs: z.number().nullable(),
});

const keeperReport = z.object({
  address: z.string(),
  isVenueTakingOrders: z.boolean(),
  /** As many price signers answer as an order needs. */
  isPriceSignerAnswering: z.boolean(),
  /** Signatures that an order needs: the threshold, or all while an alarm is on. Null until it was read. */
  requiredSignatures: z.number().nullable(),
  priceSigners: z.array(priceSignerReport),
  /** The shares of the markets that this keeper looks after, and those that it gave away a moment ago. */
  shares: z.array(shareReport),
  /** Markets with debts that this look could not see. */
  unseenTickers: z.array(z.string()),
  exits: z.array(exitReport),
});

/** What a keeper says of itself with its heartbeat: all that a quote has to know of it. */
export type KeeperReport = z.output<typeof keeperReport>;
export type ExitReport = z.output<typeof exitReport>;

/** The report in the detail of a heartbeat; null for a detail that is none. */
export function keeperReportOf(detail: unknown): KeeperReport | null {
  return keeperReport.safeParse(detail).data ?? null;
}
