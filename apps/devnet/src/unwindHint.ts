import type { ListWire, MarketWire } from '@core/wire';
import { bestCandidate } from './demo/steps/candidates.ts';
import type { StackFile } from './stack/state/stackFile.ts';

/** Where a fall of five cents breaks the cover of a debt at the maximum leverage, and stays above its liquidation. */
const dearPips = 7_000;
const fall = { by: '0.05', hold_seconds: 120 } as const;

/** A market in which an unwind can be provoked, and the scenario that does it. */
export interface UnwindHint {
  readonly ticker: string;
  readonly side: 'yes' | 'no';
  readonly leverageBps: number;
  /** Body of `POST /control/scenarios` of the venue simulator. */
  readonly scenario: object;
}

/**
 * An hourly market takes high leverage only against a cover that a small fall breaks. Null while none takes positions.
 */
export async function unwindHintOf({ apiUrl, partner }: StackFile): Promise<UnwindHint | null> {
  const query = new URLSearchParams({
    category: 'crypto',
    accepting_new_positions: 'true',
    expand: 'prices',
    limit: '100',
  });
  const response = await fetch(`${apiUrl}/markets?${query}`, {
    headers: { authorization: `Api-Key ${partner.apiKey}` },
  });
  if (!response.ok) return null;
  const { data } = (await response.json()) as ListWire<MarketWire>;
  const hourly = data.filter(({ event }) => (event.series_ticker ?? '').includes('hourly'));
  const candidate = bestCandidate(hourly, { nearPips: dearPips }, new Set());
  if (candidate === null) return null;
  const { market, side } = candidate;
  const leverageBps = side === 'yes' ? market.leverage.max_yes_bps : market.leverage.max_no_bps;
  const scenario = { name: 'crash', market: market.ticker, params: { side, ...fall } };
  return { ticker: market.ticker, side, leverageBps, scenario };
}

/** The hint as `start` prints it: what to open, and the command that makes the price fall. */
export function unwindHintLines({ ticker, side, leverageBps, scenario }: UnwindHint, venueUrl: string): string[] {
  return [
    `  Unwind    open ${side} of ${ticker} at its maximum leverage (${leverageBps / 10_000}x now), then let it fall:`,
    `            curl -sX POST ${venueUrl}/control/scenarios -H 'content-type: application/json' -d '${JSON.stringify(scenario)}'`,
    '            The keeper repays the debt with a sale; the position shows why under ?expand=unwinds.',
  ];
}
