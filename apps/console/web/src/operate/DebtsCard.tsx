import { raw } from '@core/pricing';
import { Link } from '@tanstack/react-router';
import { useFollowedPrices } from '../live/followedTickers.ts';
import { livePricesOf } from '../live/livePrices.ts';
import { titleOf } from '../markets/filterMarkets.ts';
import { useMarkets } from '../markets/useMarkets.ts';
import { cents, dollarsOfUnits, percent } from '../money.ts';
import { DataTable } from '../parts/DataTable.tsx';
import { Fact } from '../parts/Fact.tsx';
import { Figure } from '../parts/Figure.tsx';
import { ShortHash } from '../parts/ShortHash.tsx';
import { type DebtRow, debtRowsOf, debtWithin, outcomeOf } from './debtRows.ts';
import type { ChainDebt } from './readDebts.ts';

const nearBps = 500n;
/** Rows shown; the sum counts every debt. */
const maxRows = 10;
const figureHeads = ['Debt', 'Mark', 'Liquidation', 'Distance'];

/** Debts from the chain, those nearest to liquidation first. Null before they are read. */
export function DebtsCard({ debts }: { readonly debts: readonly ChainDebt[] | null }) {
  const markets = useMarkets().data ?? [];
  useFollowedPrices((debts ?? []).flatMap(({ tokenId }) => outcomeOf(markets, tokenId)?.market.ticker ?? []));
  const rows = debtRowsOf(debts ?? [], {
    markets,
    markOf: ({ market, side }) => livePricesOf(market.ticker)?.[`${side}_mark_price_usd_pips`] ?? null,
  });
  const shownCount = Math.min(rows.length, maxRows);
  return (
    <section className="card" aria-labelledby="debts">
      <h2 id="debts">Nearest to liquidation</h2>
      <dl>
        <Fact name="Debt within 5 % of liquidation" id="debt-near">
          {debts === null ? 'unknown' : dollarsOfUnits(debtWithin(rows, nearBps))}
        </Fact>
        <Fact name="Debts shown">{debts === null ? 'unknown' : `${shownCount} of ${rows.length}`}</Fact>
      </dl>
      {rows.length === 0 ? null : (
        <DataTable
          name="Debts by distance from liquidation"
          heads={['Position', 'Outcome', ...figureHeads]}
          numberHeads={figureHeads}
        >
          {rows.slice(0, maxRows).map((row) => (
            <DebtLine key={row.positionKey} row={row} />
          ))}
        </DataTable>
      )}
    </section>
  );
}

function DebtLine({ row: { positionKey, outcome, figures, markPricePips, distanceBps } }: { readonly row: DebtRow }) {
  const isNear = distanceBps !== null && raw(distanceBps) <= nearBps;
  return (
    <tr data-debt={positionKey}>
      <td>
        <ShortHash hash={positionKey} explorerUrl={null} />
      </td>
      <td>
        {outcome === null ? (
          <span>not listed</span>
        ) : (
          <Link to="/markets/$ticker" params={{ ticker: outcome.market.ticker }}>
            {`${outcome.side.toUpperCase()} · ${titleOf(outcome.market)}`}
          </Link>
        )}
      </td>
      <td className="number">
        <Figure>{dollarsOfUnits(raw(figures.owedUsdcUnits))}</Figure>
      </td>
      <td data-live="true" className="number">
        <Figure>{markPricePips === null ? 'unknown' : cents(String(raw(markPricePips)))}</Figure>
      </td>
      <td className="number">
        <Figure>{cents(String(raw(figures.liquidationPricePips)))}</Figure>
      </td>
      <td data-live="true" className={isNear ? 'number loss' : 'number'}>
        <Figure>{distanceBps === null ? 'unknown' : percent(Number(raw(distanceBps)))}</Figure>
      </td>
    </tr>
  );
}
