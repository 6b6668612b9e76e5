import { z } from 'zod';
import { parseReplay, ReplayRefusal } from '../replay/parseReplay.ts';
import { type ReplaySettings, replayDraft } from '../replay/replayDraft.ts';
import type { SimVenue } from '../venue/simVenue.ts';

const replayQuerySchema = z.strictObject({
  market: z.string().optional(),
  lambda_usd_per_cent: z.coerce.number().positive().max(1e6).default(200),
  category: z.enum(['crypto', 'sport']).optional(),
  asset: z.enum(['BTC', 'ETH', 'SOL', 'XRP']).default('BTC'),
  league: z
    .string()
    .regex(/^[a-z0-9]{1,12}$/)
    .default('mlb'),
  outcome: z.enum(['yes', 'no', 'void']).optional(),
  title: z.string().max(200).optional(),
  fee_rate: z
    .string()
    .regex(/^0(\.\d{1,6})?$/)
    .optional(),
});

/**
 * List the markets of a recorded CSV, with their first row now.
 *
 * @throws ReplayRefusal with a useful text for anything that cannot be replayed.
 */
export async function playReplay(
  venue: SimVenue,
  request: { readonly query: unknown; readonly csv: string },
): Promise<unknown[]> {
  const query = replayQuerySchema.safeParse(request.query);
  if (!query.success) {
    const [issue] = query.error.issues;
    throw new ReplayRefusal(`query ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  const { market, category, outcome, title, fee_rate: feeRate } = query.data;
  const settings: ReplaySettings = {
    usdPerCent: query.data.lambda_usd_per_cent,
    category: category ?? null,
    asset: query.data.asset,
    league: query.data.league,
    outcome: outcome ?? null,
    title: title ?? null,
    feeRatePpm: feeRate === undefined ? null : BigInt(Math.round(Number(feeRate) * 1e6)),
  };
  const { nowMs } = venue;
  const allSeries = parseReplay(request.csv, market ?? null);
  const replayNumber = venue.nextReplayNumber();
  const listed = allSeries.map((series) => {
    const id = series.marketId.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    const draft = replayDraft({ series, settings, nowMs, name: `${id}-${replayNumber}` });
    return { series, running: venue.list(draft) };
  });
  await venue.markets.listingDone();
  return listed.map(({ series, running }) => {
    venue.tick(running, true);
    const { definition } = running.market;
    return {
      market_id: series.marketId,
      slug: definition.slug,
      condition_id: definition.conditionId,
      token_ids: definition.tokenIds.map(String),
      rows: series.quotes.length,
      starts_at_ms: nowMs,
      last_row_at_ms: nowMs + (series.quotes.at(-1)?.afterMs ?? 0),
      ends_at_ms: definition.endDateMs,
    };
  });
}
