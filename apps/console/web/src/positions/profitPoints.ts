import type { PlotPoint } from '../parts/LinePlot.tsx';

/** Fields of a position that its profit follows from. */
interface ProfitFacts {
  readonly entry: { readonly opened_at: string | null };
  readonly result?: { readonly closed_at: string; readonly net_realized_pnl_usd_pips: string };
  readonly current?: { readonly net_unrealized_pnl_usd_pips: string };
}

/**
 * Return the sum of profits after fees in pips: 0 at the first opening, then after each close, and at last with the
 * unrealised profit of open positions. For display only.
 */
export function profitPointsOf(positions: readonly ProfitFacts[]): readonly PlotPoint[] {
  const filledPositions = positions.filter(({ entry }) => entry.opened_at !== null);
  const openings = filledPositions.map(({ entry }) => Date.parse(entry.opened_at ?? ''));
  const closes = filledPositions
    .flatMap(({ result }) => result ?? [])
    .map((result) => ({ atMs: Date.parse(result.closed_at), pips: Number(result.net_realized_pnl_usd_pips) }))
    .toSorted((left, right) => left.atMs - right.atMs);
  if (openings.length === 0) return [];
  const points: PlotPoint[] = [{ atMs: Math.min(...openings), value: 0 }];
  let total = 0;
  for (const { atMs, pips } of closes) {
    total += pips;
    points.push({ atMs, value: total });
  }
  const unrealised = filledPositions
    .flatMap(({ current }) => current ?? [])
    .map((one) => Number(one.net_unrealized_pnl_usd_pips));
  const lastMs = Math.max(...openings, ...closes.map(({ atMs }) => atMs));
  return unrealised.length === 0
    ? points
    : [...points, { atMs: lastMs + 1_000, value: unrealised.reduce((sum, pips) => sum + pips, total) }];
}
