import type { LimitUsage, Position } from '@core/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { cents, dollars, percent, times } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { Fact } from '../parts/Fact.tsx';
import { statusText } from '../positions/statusTexts.ts';
import { usePositions } from '../positions/usePositions.ts';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** All positions of the wallet. */
export function PortfolioPage() {
  const { user, address } = useSession();
  const positions = usePositions();
  const limits = useQuery({
    queryKey: queryKeys.limits,
    queryFn: () => user.limits(),
    enabled: address !== null,
  });
  if (address === null) return <p>Sign in with a wallet to see its positions.</p>;
  if (positions.isPending) return <p role="status">Reading positions …</p>;
  if (positions.isError) return <p role="alert">{errorText(positions.error)}</p>;
  return (
    <>
      <h1>Portfolio</h1>
      {limits.data === undefined ? null : <Limits limits={limits.data} />}
      <Totals positions={positions.data} />
      {positions.data.length === 0 ? <p>No position yet.</p> : null}
      <ul className="markets">
        {positions.data.map((position) => (
          <PositionCard key={position.id} position={position} />
        ))}
      </ul>
    </>
  );
}

/** What all open positions are worth and have gained: sums of what their cards show. */
function Totals({ positions }: { readonly positions: readonly Position[] }) {
  const open = positions.filter((position) => 'current' in position);
  if (open.length === 0) return null;
  const sumOf = (figures: readonly string[]): string => String(figures.reduce((sum, pips) => sum + BigInt(pips), 0n));
  return (
    <dl className="row">
      <Fact name="Open positions">{open.length}</Fact>
      <Fact name="Value">{dollars(sumOf(open.map(({ current }) => current.position_value_usd_pips)))}</Fact>
      <Fact name="Yours after the loans">
        {dollars(sumOf(open.map(({ current }) => current.effective_collateral_usd_pips)))}
      </Fact>
      <Fact name="Profit after fees">
        {dollars(sumOf(open.map(({ current }) => current.net_unrealized_pnl_usd_pips)))}
      </Fact>
    </dl>
  );
}

function Limits({ limits }: { readonly limits: LimitUsage }) {
  return (
    <dl className="row">
      <Fact name="Open notional">{dollars(limits.usage_usd_pips)}</Fact>
      <Fact name="Limit">{dollars(limits.limit_usd_pips)}</Fact>
      <Fact name="Left">{dollars(limits.remaining_usd_pips)}</Fact>
    </dl>
  );
}

function PositionCard({ position }: { readonly position: Position }) {
  return (
    <li className="card">
      <Link to="/positions/$id" params={{ id: position.id }}>
        {position.market_title ?? position.market_ticker}
      </Link>
      <p className="hint">
        {position.effective_side.toUpperCase()} · {statusText(position)}
      </p>
      <dl>
        {'current' in position ? (
          <>
            <Fact name="Value">{dollars(position.current.position_value_usd_pips)}</Fact>
            <Fact name="Profit after fees">{dollars(position.current.net_unrealized_pnl_usd_pips)}</Fact>
            <Fact name="Yours after the loan">{dollars(position.current.effective_collateral_usd_pips)}</Fact>
            <Fact name="Entry price">{cents(position.entry.effective_entry_price_usd_pips)}</Fact>
            <Fact name="Mark price">{cents(position.current.mark_price_usd_pips)}</Fact>
            <Fact name="Leverage">{times(position.current.leverage_bps)}</Fact>
            <Fact name="Liquidation">{cents(position.risk.current_liquidation_price_usd_pips)}</Fact>
            <Fact name="Health">{percent(position.risk.health_bps)}</Fact>
          </>
        ) : (
          <>
            <Fact name="Paid out">{dollars(position.result.proceeds_usd_pips)}</Fact>
            <Fact name="Profit after fees">{dollars(position.result.net_realized_pnl_usd_pips)}</Fact>
          </>
        )}
      </dl>
    </li>
  );
}
