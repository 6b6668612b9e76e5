import type { Position } from '@core/sdk';
import { useMemo } from 'react';
import { serviceNowMs } from '../live/serviceClock.ts';
import { type PriceRange, usePriceHistory } from '../markets/usePriceHistory.ts';
import { dollars } from '../money.ts';
import { LineChart } from '../parts/LineChart.tsx';
import { equityPointsOf, stepsOf, withPresent } from './equityPoints.ts';

const wholePips = 10_000;
/** Margin above and below the values: ten cents. */
const marginPips = 1_000;
const formatOf = (pips: number): string => dollars(String(Math.round(pips)));

const hourMs = 3_600_000;
const ranges: readonly { readonly range: PriceRange; readonly ms: number }[] = [
  { range: '1h', ms: hourMs },
  { range: '6h', ms: 6 * hourMs },
  { range: '1d', ms: 24 * hourMs },
  { range: '1w', ms: 168 * hourMs },
];

/** Return the shortest range of prices that covers an age. */
const rangeOf = (ageMs: number): PriceRange => ranges.find(({ ms }) => ms >= ageMs)?.range ?? 'all';

/** Chart of a position's equity from its opening to its end, or to now: its ledger, prices of the venue. */
export function EquityChart({ position }: { readonly position: Position }) {
  const { ledger, effective_side: side, entry } = position;
  const openedMs = Date.parse(entry.opened_at ?? '');
  const endMs = 'result' in position ? Date.parse(position.result.closed_at) : null;
  const { points: prices } = usePriceHistory(position.market_ticker, rangeOf(serviceNowMs() - openedMs));
  const aprBps = position.fees.lifetime_fee_apr_bps;
  const entryPricePips = Number(entry.effective_entry_price_usd_pips ?? entry.price_usd_pips);
  const steps = useMemo(() => (ledger === undefined ? [] : stepsOf(ledger)), [ledger]);
  const past = useMemo(
    () =>
      equityPointsOf({
        steps,
        prices: prices.map(({ atMs, pips }) => ({ atMs, pips: side === 'yes' ? pips : wholePips - pips })),
        entryPricePips,
        aprBps,
        endMs: endMs ?? Number.POSITIVE_INFINITY,
      }),
    [steps, prices, side, entryPricePips, aprBps, endMs],
  );
  // A frame moves the last point alone.
  const points = useMemo(
    () => ('current' in position ? withPresent(past, { steps, position }) : past),
    [past, steps, position],
  );
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return null;
  return (
    <LineChart
      points={points}
      formatOf={formatOf}
      margin={marginPips}
      isStepped
      label="Equity since the opening, with payouts and less added margin"
      summary={`from ${formatOf(first.value)} to ${formatOf(last.value)}`}
    />
  );
}
