import type { Position } from '@core/sdk';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { serviceNowMs } from '../live/serviceClock.ts';
import { usePriceHistory } from '../markets/usePriceHistory.ts';
import { dollars } from '../money.ts';
import { LineChart } from '../parts/LineChart.tsx';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { equityPointsOf, withPresent } from './equityPoints.ts';
import { rangeOf } from './lifeRange.ts';
import { readLedger } from './readLedger.ts';

const wholePips = 10_000;
/** Margin above and below the values: ten cents. */
const marginPips = 1_000;
const formatOf = (pips: number): string => dollars(String(Math.round(pips)));

/** Chart of a position's equity from its opening to its end, or to now: events of the vault, prices of the venue. */
export function EquityChart({ position }: { readonly position: Position }) {
  const { config } = useSession();
  const { on_chain_position_key: key, effective_side: side, entry } = position;
  const openedMs = Date.parse(entry.opened_at ?? '');
  const endMs = 'result' in position ? Date.parse(position.result.closed_at) : null;
  const ledger = useQuery({
    queryKey: queryKeys.ledger(key),
    queryFn: () => readLedger(config, key),
  });
  const { points: prices } = usePriceHistory(position.market_ticker, rangeOf(serviceNowMs() - openedMs));
  const aprBps = position.fees.lifetime_fee_apr_bps;
  const entryPricePips = Number(entry.effective_entry_price_usd_pips ?? entry.price_usd_pips);
  const points = useMemo(() => {
    if (ledger.data === undefined || ledger.data.length === 0) return [];
    const past = equityPointsOf({
      steps: ledger.data,
      prices: prices.map(({ atMs, pips }) => ({ atMs, pips: side === 'yes' ? pips : wholePips - pips })),
      entryPricePips,
      aprBps,
      endMs: endMs ?? Number.POSITIVE_INFINITY,
    });
    return 'current' in position ? withPresent(past, { steps: ledger.data, position }) : past;
  }, [ledger.data, prices, side, entryPricePips, aprBps, endMs, position]);
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) {
    return <p className="chart hint plot">{ledger.isError ? 'The node has no events of this position.' : ''}</p>;
  }
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
