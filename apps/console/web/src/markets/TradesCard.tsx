import type { OrderBook } from '@core/sdk';
import { cents, clockText, tokens } from '../money.ts';
import { DataTable } from '../parts/DataTable.tsx';
import { errorText } from '../parts/errorText.ts';
import { SideMark } from '../parts/SideMark.tsx';
import { recentTradesOf } from './recentTrades.ts';
import { useOrderBook } from './useOrderBook.ts';

/** Last trades of both sides at the venue, newest first. */
export function TradesCard({ ticker }: { readonly ticker: string }) {
  const book = useOrderBook(ticker);
  return (
    <section className="card" aria-labelledby="trades">
      <h2 id="trades">Last trades</h2>
      {book.isError ? <p className="old">{errorText(book.error)}</p> : null}
      {book.data === undefined ? null : <Trades book={book.data} />}
    </section>
  );
}

function Trades({ book }: { readonly book: OrderBook }) {
  const trades = recentTradesOf(book);
  if (trades.length === 0) return <p className="hint">No trade since the service began to follow this market.</p>;
  return (
    <DataTable
      name="Trades of both sides"
      heads={['Time', 'Side', 'Price', 'Tokens']}
      numberHeads={['Price', 'Tokens']}
    >
      {trades.map(({ key, side, trade }) => (
        <tr key={key} data-trade={trade.at}>
          <td translate="no" title={trade.at} className="nowrap">
            {clockText(trade.at)}
          </td>
          <td className="nowrap">
            {trade.taker_side === null ? null : <span>{trade.taker_side === 'buy' ? 'Buy ' : 'Sell '}</span>}
            <SideMark side={side} />
          </td>
          <td translate="no" className={trade.taker_side === 'sell' ? 'number loss' : 'number gain'}>
            {cents(trade.price_usd_pips)}
          </td>
          <td translate="no" className="number">
            {trade.token_units === null ? '–' : tokens(trade.token_units)}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
