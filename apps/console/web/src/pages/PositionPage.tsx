import type { ClosedPosition, OpenPosition, Position } from '@core/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { LivePosition } from '../live/livePosition.ts';
import { stalePriceText, useLivePosition } from '../live/useLivePositions.ts';
import { PriceChart } from '../markets/PriceChart.tsx';
import { cents, dollars, dollarsHeld, dollarsOfUnits, times, timeText, tokens } from '../money.ts';
import { Boundary } from '../parts/Boundary.tsx';
import { Fact } from '../parts/Fact.tsx';
import type { PlotLevel } from '../parts/LinePlot.tsx';
import { Pending } from '../parts/Pending.tsx';
import { Result } from '../parts/Result.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { SideMark } from '../parts/SideMark.tsx';
import { Distance } from '../positions/Distance.tsx';
import { EquityChart } from '../positions/EquityChart.tsx';
import { History } from '../positions/History.tsx';
import { PositionActions } from '../positions/PositionActions.tsx';
import { Reductions } from '../positions/Reductions.tsx';
import { statusText } from '../positions/statusTexts.ts';
import { Transactions } from '../positions/Transactions.tsx';
import { progressTexts, unwindText } from '../positions/unwindTexts.ts';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { useTitle } from '../useTitle.ts';

/** Page of one position: price with the liquidation line, every figure, movements with reasons, and actions. */
export function PositionPage() {
  const { id } = useParams({ from: '/positions/$id' });
  const { user, address } = useSession();
  const positionQuery = useQuery({
    queryKey: queryKeys.position(id),
    queryFn: () => user.positions.get(id, { expand: ['unwinds', 'planned_unwinds', 'basis', 'ledger'] }),
    enabled: address !== null,
  });
  useTitle(
    positionQuery.data === undefined
      ? 'Position'
      : (positionQuery.data.market_title ?? positionQuery.data.market_ticker),
  );
  if (address === null) {
    return (
      <>
        <h1>Position</h1>
        <p>Sign in with the wallet that owns this position.</p>
      </>
    );
  }
  if (positionQuery.data === undefined) {
    return (
      <Pending title="Position" name="the position" error={positionQuery.error} queryKey={queryKeys.position(id)} />
    );
  }
  const position = positionQuery.data;
  return (
    <>
      <p>
        <Link to="/portfolio">← Portfolio</Link>
      </p>
      <h1>{position.market_title ?? position.market_ticker}</h1>
      <Boundary of={position}>
        <Status position={position} />
      </Boundary>
      <Boundary of={position}>
        <Progress position={position} />
      </Boundary>
      <div className="columns">
        <div>
          <Boundary of={position}>
            {'current' in position ? <Live position={position} /> : <Closed position={position} />}
          </Boundary>
          <Boundary of={position}>
            <History position={position} />
          </Boundary>
          <Boundary of={position}>
            <Reductions position={position} />
          </Boundary>
          <Boundary>
            <Transactions id={id} />
          </Boundary>
        </div>
        <Boundary of={position}>
          <PositionActions position={position} />
        </Boundary>
      </div>
    </>
  );
}

function Status({ position }: { readonly position: Position }) {
  return (
    <p role="status" data-figure="position-status">
      <SideMark side={position.effective_side} /> · <Sentence text={statusText(position)} />
    </p>
  );
}

/** Pending operation and planned reductions in words. */
function Progress({ position }: { readonly position: Position }) {
  return progressTexts(position).map((text) => (
    <p key={text}>
      <Sentence text={text} />
    </p>
  ));
}

function Live({ position: savedPosition }: { readonly position: OpenPosition }) {
  const { position, isStale } = useLivePosition(savedPosition);
  const { current, risk, effective_side: side } = position;
  const liquidationPips = Number(risk.current_liquidation_price_usd_pips);
  const entryPips = Number(position.entry.effective_entry_price_usd_pips ?? position.entry.price_usd_pips);
  const { unwinds, planned_unwinds: planned } = position;
  const levels = useMemo(
    () => [
      { value: entryPips, title: 'entry', kind: 'quiet' as const },
      ...unwindLevelsOf(planned),
      { value: liquidationPips, title: 'liquidation', kind: 'loss' as const },
    ],
    [entryPips, planned, liquidationPips],
  );
  const marks = useMemo(
    () => (unwinds?.data ?? []).map((unwind) => ({ atMs: Date.parse(unwind.executed_at), text: unwindText(unwind) })),
    [unwinds],
  );
  return (
    <>
      <p className="old line">{isStale ? stalePriceText : null}</p>
      <dl className={isStale ? 'headline stale' : 'headline'} data-old={isStale}>
        <Fact name="Profit after fees" id="pnl" units={current.net_unrealized_pnl_usd_pips}>
          <Result pips={current.net_unrealized_pnl_usd_pips} bps={current.net_unrealized_pnl_bps} />
        </Fact>
        <Fact name="Equity" id="equity" units={current.effective_collateral_usd_pips}>
          {dollars(current.effective_collateral_usd_pips)}
        </Fact>
        <Fact name="Mark price" id="mark" units={current.mark_price_usd_pips}>
          {cents(current.mark_price_usd_pips)}
        </Fact>
        <Fact name="Liquidation price" id="liquidation" units={risk.current_liquidation_price_usd_pips}>
          {cents(risk.current_liquidation_price_usd_pips)}
        </Fact>
        <Fact name="Distance to liquidation" id="health" units={BigInt(risk.health_bps)}>
          <Distance position={position} />
        </Fact>
      </dl>
      <Boundary>
        <PriceChart ticker={position.market_ticker} side={side} levels={levels} marks={marks} />
      </Boundary>
      <Boundary>{position.entry.opened_at === null ? null : <EquityChart position={position} />}</Boundary>
      <Boundary of={position}>
        <OpenDetails position={position} isStale={isStale} />
      </Boundary>
    </>
  );
}

/** Return the prices at which the debt will be reduced. */
function unwindLevelsOf(planned: Position['planned_unwinds']): readonly PlotLevel[] {
  return (planned?.data ?? []).flatMap(({ status, trigger }) =>
    status === 'planned' && trigger.kind === 'price'
      ? [{ value: Number(trigger.price_usd_pips), title: 'unwind', kind: 'quiet' as const }]
      : [],
  );
}

function OpenDetails({ position, isStale }: LivePosition<OpenPosition>) {
  const { current, entry, fees } = position;
  const owedPips = String(BigInt(fees.accrued_lifetime_fee_usd_pips) + BigInt(fees.pending_lifetime_fee_usd_pips));
  return (
    <dl className={isStale ? 'card stale' : 'card'}>
      <Fact name="Tokens" id="tokens" units={current.position_token_units}>
        {tokens(current.position_token_units)}
      </Fact>
      <Fact name="Value" id="value" units={current.position_value_usd_pips}>
        {dollars(current.position_value_usd_pips)}
      </Fact>
      <Fact name="Collateral">{dollars(current.collateral_usd_pips)}</Fact>
      <Fact name="Entry price">{cents(entry.effective_entry_price_usd_pips ?? entry.price_usd_pips)}</Fact>
      <Fact name="Leverage">{times(current.leverage_bps)}</Fact>
      <Fact name="Interest owed">{dollars(owedPips)}</Fact>
      <LedgerFacts position={position} />
      <Fact name="Market closes">{timeText(position.timing.market_close_time)}</Fact>
    </dl>
  );
}

function Closed({ position }: { readonly position: ClosedPosition }) {
  const { result, entry, ledger } = position;
  return (
    <>
      <dl className="headline">
        <Fact name="Profit after fees">
          <Result pips={result.net_realized_pnl_usd_pips} bps={result.net_realized_pnl_bps} />
        </Fact>
        <Fact name="Proceeds" id="proceeds">
          {dollars(result.proceeds_usd_pips)}
        </Fact>
      </dl>
      <Boundary>{entry.opened_at === null ? null : <EquityChart position={position} />}</Boundary>
      <dl className="card">
        <Fact name="Closed">{timeText(result.closed_at)}</Fact>
        <Fact name="Entry price">{cents(entry.effective_entry_price_usd_pips ?? entry.price_usd_pips)}</Fact>
        <Fact name="Average exit price">{cents(ledger?.average_exit_price_usd_pips)}</Fact>
        <Fact name="Size">{`${tokens(entry.position_token_units)} tokens`}</Fact>
        <Fact name="Leverage at the opening">{times(entry.leverage_bps)}</Fact>
        <LedgerFacts position={position} />
      </dl>
    </>
  );
}

/** Sums of the ledger: all that was paid in and out. */
function LedgerFacts({ position: { ledger } }: { readonly position: Position }) {
  if (ledger === undefined) return null;
  return (
    <>
      <Fact name="Paid in" id="paid-in" units={ledger.paid_in_usdc_units}>
        {dollarsOfUnits(BigInt(ledger.paid_in_usdc_units))}
      </Fact>
      <Fact name="Paid to the wallet" id="paid-out" units={ledger.paid_out_usdc_units}>
        {dollarsHeld(BigInt(ledger.paid_out_usdc_units))}
      </Fact>
      <Fact name="Fees paid">{dollarsOfUnits(BigInt(ledger.fee_usdc_units))}</Fact>
      <Fact name="Realised profit" id="realised" units={ledger.realized_pnl_usdc_units}>
        {dollarsHeld(BigInt(ledger.realized_pnl_usdc_units))}
      </Fact>
    </>
  );
}
