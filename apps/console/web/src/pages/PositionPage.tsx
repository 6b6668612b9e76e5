import type { ClosedPosition, OpenPosition } from '@core/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { followHistories, liquidationHistoryOf, priceHistoryOf, recordLiquidationPrice } from '../live/history.ts';
import { useMarkets } from '../markets/useMarkets.ts';
import { cents, dollars, percent, times, timeText, tokens } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { Fact } from '../parts/Fact.tsx';
import { PriceChart } from '../parts/PriceChart.tsx';
import { PartsSold } from '../positions/PartsSold.tsx';
import { PositionActions } from '../positions/PositionActions.tsx';
import { Reductions } from '../positions/Reductions.tsx';
import { statusText } from '../positions/statusTexts.ts';
import { Transactions } from '../positions/Transactions.tsx';
import { progressTexts, unwindText } from '../positions/unwindTexts.ts';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** One position: price with the liquidation line, every figure, what was reduced and why, and what its owner can do. */
export function PositionPage() {
  const { id } = useParams({ from: '/positions/$id' });
  const { user, address } = useSession();
  useMarkets();
  const found = useQuery({
    queryKey: queryKeys.position(id),
    queryFn: async () => {
      const position = await user.positions.get(id, { expand: ['unwinds', 'planned_unwinds'] });
      recordLiquidationPrice(position, Date.now());
      return position;
    },
    enabled: address !== null,
  });
  if (address === null) return <p>Sign in with the wallet that owns it to see this position.</p>;
  if (found.isPending) return <p role="status">Reading the position …</p>;
  if (found.isError) return <p role="alert">{errorText(found.error)}</p>;
  const position = found.data;
  return (
    <>
      <h1>{position.market_title ?? position.market_ticker}</h1>
      <p role="status" data-figure="position-status">
        {position.effective_side.toUpperCase()} · {statusText(position)}
      </p>
      {progressTexts(position).map((text) => (
        <p key={text}>{text}</p>
      ))}
      <div className="columns">
        <div>
          {'current' in position ? <Live position={position} /> : <Ended position={position} />}
          <Reductions position={position} />
          <PartsSold id={id} />
          <Transactions id={id} />
        </div>
        <PositionActions position={position} />
      </div>
    </>
  );
}

function Live({ position }: { readonly position: OpenPosition }) {
  const { current, risk, fees, effective_side: side } = position;
  const yes = useSyncExternalStore(followHistories, () => priceHistoryOf(position.market_ticker));
  const points = side === 'yes' ? yes : yes.map(({ atMs, pips }) => ({ atMs, pips: 10_000 - pips }));
  const liquidation = useSyncExternalStore(followHistories, () => liquidationHistoryOf(position.id));
  const marks = (position.unwinds?.data ?? []).map((unwind) => ({
    atMs: Date.parse(unwind.executed_at),
    text: unwindText(unwind),
  }));
  return (
    <>
      <PriceChart
        points={points}
        level={{ points: liquidation, name: 'liquidation' }}
        marks={marks}
        label={`${side.toUpperCase()} since this page was opened`}
      />
      <dl className="card">
        <Fact name="Tokens" id="tokens" units={current.position_token_units}>
          {tokens(current.position_token_units)}
        </Fact>
        <Fact name="Entry price">
          {cents(position.entry.effective_entry_price_usd_pips ?? position.entry.price_usd_pips)}
        </Fact>
        <Fact name="Mark price">{cents(current.mark_price_usd_pips)}</Fact>
        <Fact name="Liquidation price" id="liquidation" units={risk.current_liquidation_price_usd_pips}>
          {cents(risk.current_liquidation_price_usd_pips)}
        </Fact>
        <Fact name="Health">
          <meter min={0} max={10_000} value={risk.health_bps} aria-label="Health" /> {percent(risk.health_bps)}
        </Fact>
        <Fact name="Value">{dollars(current.position_value_usd_pips)}</Fact>
        <Fact name="Yours after the loan">{dollars(current.effective_collateral_usd_pips)}</Fact>
        <Fact name="Profit after fees">{dollars(current.net_unrealized_pnl_usd_pips)}</Fact>
        <Fact name="Leverage">{times(current.leverage_bps)}</Fact>
        <Fact name="Fees so far">{dollars(fees.total_fees_usd_pips)}</Fact>
        <Fact name="Market closes">{timeText(position.timing.market_close_time)}</Fact>
      </dl>
    </>
  );
}

function Ended({ position: { result, entry, fees } }: { readonly position: ClosedPosition }) {
  return (
    <dl className="card">
      <Fact name="Ended">{timeText(result.closed_at)}</Fact>
      <Fact name="Collateral">{dollars(entry.collateral_usd_pips)}</Fact>
      <Fact name="Paid out" id="proceeds">
        {dollars(result.proceeds_usd_pips)}
      </Fact>
      <Fact name="Profit after fees">{dollars(result.net_realized_pnl_usd_pips)}</Fact>
      <Fact name="Fees">{dollars(fees.total_fees_usd_pips)}</Fact>
    </dl>
  );
}
