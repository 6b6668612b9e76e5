import type { OrderBook } from '@core/sdk';
import { useState } from 'react';
import { cents, tokens } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { Figure } from '../parts/Figure.tsx';
import { bookRowsOf, spreadPipsOf } from './bookRows.ts';
import { useOrderBook } from './useOrderBook.ts';

declare module 'react' {
  interface CSSProperties {
    /** Length of the bar behind a level of the book. */
    readonly '--share'?: string;
  }
}

const sides = ['yes', 'no'] as const;

type Side = (typeof sides)[number];

/** Order book of one side with the depth at each price. */
export function OrderBookCard({ ticker }: { readonly ticker: string }) {
  const [side, setSide] = useState<Side>('yes');
  const book = useOrderBook(ticker);
  return (
    <section className="card book-card" aria-labelledby="order-book">
      <h2 id="order-book">Order book</h2>
      <div className="choices">
        {sides.map((choice) => (
          <button key={choice} type="button" aria-pressed={side === choice} onClick={() => setSide(choice)}>
            {choice.toUpperCase()}
          </button>
        ))}
      </div>
      {book.isError ? <p className="old">{errorText(book.error)}</p> : null}
      {book.data === undefined ? <p className="hint">{book.isError ? '' : 'Loading order book …'}</p> : null}
      {book.data === undefined ? null : <Book book={book.data[side]} side={side} />}
    </section>
  );
}

function Book({ book, side }: { readonly book: OrderBook[Side]; readonly side: Side }) {
  if (book === null) return <p className="hint">The service has no order book of this side.</p>;
  const { asks, bids } = bookRowsOf(book);
  const spread = spreadPipsOf(book);
  return (
    <table className="book" aria-label={`Order book of ${side.toUpperCase()}`}>
      <thead>
        <tr>
          <th scope="col">Price</th>
          <th scope="col" className="number">
            Tokens
          </th>
          <th scope="col" className="number">
            Total
          </th>
        </tr>
      </thead>
      <Levels rows={asks} kind="ask" />
      <tbody>
        <tr className="spread">
          <td colSpan={3}>
            Spread <Figure>{cents(spread)}</Figure>
          </td>
        </tr>
      </tbody>
      <Levels rows={bids} kind="bid" />
    </table>
  );
}

interface LevelsProps {
  readonly rows: ReturnType<typeof bookRowsOf>['asks'];
  readonly kind: 'ask' | 'bid';
}

function Levels({ rows, kind }: LevelsProps) {
  return (
    <tbody data-kind={kind}>
      {rows.map(({ pricePips, tokenUnits, totalUnits, share }) => (
        <tr key={pricePips} style={{ '--share': `${share}%` }}>
          <td translate="no" className={kind === 'ask' ? 'loss' : 'gain'}>
            {cents(pricePips)}
          </td>
          <td translate="no" className="number">
            {tokens(tokenUnits)}
          </td>
          <td translate="no" className="number">
            {tokens(totalUnits)}
          </td>
        </tr>
      ))}
    </tbody>
  );
}
