import type { ClosedPosition, LimitUsage, OpenPosition, Position } from '@core/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { LivePosition } from '../live/livePosition.ts';
import { serviceNowMs } from '../live/serviceClock.ts';
import { useLivePositions } from '../live/useLivePositions.ts';
import { dollars, dollarsHeld } from '../money.ts';
import { Boundary } from '../parts/Boundary.tsx';
import { Fact } from '../parts/Fact.tsx';
import { Pending } from '../parts/Pending.tsx';
import { Result } from '../parts/Result.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { CsvButton } from '../positions/CsvButton.tsx';
import { ClosedPositions, OpenPositions } from '../positions/PositionsTable.tsx';
import { ProfitChart } from '../positions/ProfitChart.tsx';
import { realisedProfitOf } from '../positions/realisedProfit.ts';
import { usePositions } from '../positions/usePositions.ts';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { useUsdcBalance } from '../session/useUsdcBalance.ts';
import { useTitle } from '../useTitle.ts';

const noPositions: readonly Position[] = [];
const isOpenRow = (row: LivePosition): row is LivePosition<OpenPosition> => 'current' in row.position;
const isClosed = (position: Position): position is ClosedPosition => 'result' in position;

/** Page of all positions of the wallet: totals, open positions, and closed positions. */
export function PortfolioPage() {
  useTitle('Portfolio');
  const { user, address } = useSession();
  const positions = usePositions();
  const limits = useQuery({ queryKey: queryKeys.limits, queryFn: () => user.limits(), enabled: address !== null });
  const rows = useLivePositions(positions.data ?? noPositions);
  const [isClosedShown, setClosedShown] = useState(false);
  if (address === null) {
    return (
      <>
        <h1>Portfolio</h1>
        <p>Sign in with a wallet to see its positions.</p>
      </>
    );
  }
  if (positions.data === undefined) {
    return <Pending title="Portfolio" name="positions" error={positions.error} queryKey={queryKeys.positionList} />;
  }
  const open = rows.filter(isOpenRow);
  const closedPositions = positions.data.filter(isClosed);
  return (
    <>
      <h1>Portfolio</h1>
      <Boundary of={positions.data}>
        <Totals open={open} positions={positions.data} limits={limits.data} />
      </Boundary>
      <Boundary>
        <ProfitChart positions={rows.map(({ position }) => position)} />
      </Boundary>
      <div className="bar">
        <div className="choices">
          <button type="button" aria-pressed={!isClosedShown} onClick={() => setClosedShown(false)}>
            <Sentence text={`Open (${open.length})`} />
          </button>
          <button type="button" aria-pressed={isClosedShown} onClick={() => setClosedShown(true)}>
            <Sentence text={`Closed (${closedPositions.length})`} />
          </button>
        </div>
        {positions.data.length === 0 ? null : <CsvButton positions={rows.map(({ position }) => position)} />}
      </div>
      <Boundary key={String(isClosedShown)}>
        {isClosedShown ? <ClosedList positions={closedPositions} /> : <OpenList rows={open} />}
      </Boundary>
    </>
  );
}

function OpenList({ rows }: { readonly rows: readonly LivePosition<OpenPosition>[] }) {
  if (rows.length > 0) return <OpenPositions rows={rows} />;
  return (
    <p>
      No open position. <Link to="/">Choose a market</Link> to open one.
    </p>
  );
}

function ClosedList({ positions }: { readonly positions: readonly ClosedPosition[] }) {
  return positions.length > 0 ? <ClosedPositions rows={positions} /> : <p>No closed positions.</p>;
}

const dayMs = 86_400_000;
/** Periods of realised profit. */
const periods = [
  { name: '24 hours', days: 1 },
  { name: '7 days', days: 7 },
  { name: 'all', days: Number.POSITIVE_INFINITY },
];

interface TotalsProps {
  readonly open: readonly LivePosition<OpenPosition>[];
  readonly positions: readonly Position[];
  readonly limits: LimitUsage | undefined;
}

const totalOf = (amounts: readonly string[]): string =>
  String(amounts.reduce((total, pips) => total + BigInt(pips), 0n));

/** Totals of the positions, and the limit of the wallet. */
function Totals({ open, positions, limits }: TotalsProps) {
  const sumOf = (pipsOf: (position: OpenPosition) => string): string =>
    totalOf(open.map(({ position }) => pipsOf(position)));
  const balance = useUsdcBalance();
  return (
    <dl className="headline">
      <Fact name="USDC in the wallet" id="usdc" {...(balance !== null && { units: balance })}>
        {balance === null ? '–' : dollarsHeld(balance)}
      </Fact>
      <Fact name="Equity">{dollars(sumOf(({ current }) => current.effective_collateral_usd_pips))}</Fact>
      <Fact name="Open profit after fees">
        <Result pips={sumOf(({ current }) => current.net_unrealized_pnl_usd_pips)} />
      </Fact>
      {periods.map(({ name, days }) => (
        <Fact key={name} name={`Realised profit after fees, ${name}`}>
          <Result pips={realisedProfitOf(positions, serviceNowMs() - days * dayMs)} />
        </Fact>
      ))}
      <Fact name="Value">{dollars(sumOf(({ current }) => current.position_value_usd_pips))}</Fact>
      <Fact name="Open notional">{dollars(limits?.usage_usd_pips)}</Fact>
      <Fact name="Remaining limit">{dollars(limits?.remaining_usd_pips)}</Fact>
    </dl>
  );
}
