import type { LedgerRow, Market, Position, PricesFrame, StreamEvent } from '@core/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../queryKeys.ts';
import { onFollowedTickers } from './followedTickers.ts';
import { recordPrice } from './history.ts';
import { recordLivePrices } from './livePrices.ts';
import { toastOf } from './positionToast.ts';
import { showToast } from './toasts.ts';

const retryMs = 5_000;
/** Delay before positions are read after an event: one read covers all events of a block. */
const positionMs = 200;
/** Delay before other records are read: one read covers all events of an action. */
const refetchMs = 2_000;

/** Time between two updates of the list of markets. Figures of positions follow each frame. */
const listMs = 1_000;

interface MarketStream extends AsyncIterable<StreamEvent<'markets'>> {
  readonly followPrices: (tickers: readonly string[]) => void;
}

/** Streams of the service that a page follows. */
export interface ServiceStreams {
  readonly stream: (options: { readonly signal: AbortSignal }) => AsyncIterable<StreamEvent<'user'>>;
  readonly markets: (options: {
    readonly signal: AbortSignal;
    readonly onPrices: (frame: PricesFrame) => void;
  }) => MarketStream;
}

/** Service that a page follows: its streams, and positions with their ledgers. */
export interface FollowedService {
  readonly events: ServiceStreams;
  readonly positions: {
    readonly get: (id: string, options: { readonly expand: readonly ['ledger'] }) => Promise<Position>;
  };
}

/** Update the page's cached data from the service's sockets until the signal aborts. */
export function followService({ events, positions }: FollowedService, queries: QueryClient, signal: AbortSignal): void {
  void repeatUntilAborted(signal, async () => {
    const stream = events.markets({ signal, onPrices: (frame) => applyPrices(queries, frame) });
    onFollowedTickers((tickers) => stream.followPrices(tickers));
    for await (const event of stream) applyMarketEvent(queries, event);
  });
  void repeatUntilAborted(signal, async () => {
    for await (const event of events.stream({ signal })) {
      applyPositionEvent(queries, event);
      void showEvent(event, positions);
    }
  });
}

/** Repeat a stream until the signal aborts. A stream ends only with a refused credential or a final close. */
async function repeatUntilAborted(signal: AbortSignal, follow: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await follow().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

function applyMarketEvent(queries: QueryClient, event: StreamEvent<'markets'>): void {
  if (event.type === 'gap') {
    void queries.invalidateQueries({ queryKey: queryKeys.markets });
    return;
  }
  const change = event.data;
  queries.setQueryData<readonly Market[]>(queryKeys.markets, (markets) => {
    if (markets === undefined) return undefined;
    const isKnown = markets.some(({ ticker }) => ticker === change.ticker);
    if (!isKnown) return event.type === 'market.discovered' ? [...markets, event.data] : markets;
    return markets.map((market) => (market.ticker === change.ticker ? { ...market, ...change } : market));
  });
}

function applyPrices(queries: QueryClient, frame: PricesFrame): void {
  recordLivePrices(frame, Date.now());
  for (const { ticker, prices } of frame.markets) {
    recordPrice({ ticker, prices }, Date.parse(frame.at));
    waitingPrices.set(ticker, prices);
  }
  if (pricesTimer !== null) return;
  applyWaitingPrices(queries);
  pricesTimer = setTimeout(() => {
    pricesTimer = null;
    applyWaitingPrices(queries);
  }, listMs);
}

/** Prices of frames that the list of markets does not show yet, by ticker. */
const waitingPrices = new Map<string, Market['prices']>();
let pricesTimer: ReturnType<typeof setTimeout> | null = null;

/** Put the waiting prices into the list of markets. A list in which nothing changes stays the same object. */
function applyWaitingPrices(queries: QueryClient): void {
  const prices = new Map(waitingPrices);
  waitingPrices.clear();
  queries.setQueryData<readonly Market[]>(queryKeys.markets, (markets) => {
    const next = markets?.map((market) => {
      const own = prices.get(market.ticker);
      return own === undefined || isSamePrices(market.prices, own) ? market : { ...market, prices: own };
    });
    return next?.some((market, index) => market !== markets?.[index]) ? next : markets;
  });
}

/** Return true when both have the same best prices: a repeated frame changes nothing. */
function isSamePrices(before: Market['prices'], after: Market['prices']): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

/** Return a function that invalidates keys once, a delay after the first change. */
function invalidateAfter(delayMs: number) {
  const waiting = new Map<string, readonly string[]>();
  return (queries: QueryClient, changed: readonly (readonly string[])[]): void => {
    const isFirst = waiting.size === 0;
    for (const queryKey of changed) waiting.set(queryKey.join('/'), queryKey);
    if (!isFirst) return;
    setTimeout(() => {
      const due = [...waiting.values()];
      waiting.clear();
      for (const queryKey of due) void readAgain(queries, queryKey);
    }, delayMs);
  };
}

/** Read data again. An unanswered read is dropped: it may show the state before the event. */
async function readAgain(queries: QueryClient, queryKey: readonly string[]): Promise<void> {
  await queries.cancelQueries({ queryKey });
  await queries.invalidateQueries({ queryKey });
}

const invalidatePositions = invalidateAfter(positionMs);
const invalidateRecords = invalidateAfter(refetchMs);

/**
 * Read a position again after its event. Nothing of the event is put into the cache: it lacks the valuation basis and
 * the expansions, and a position is always one answer of the service.
 */
function applyPositionEvent(queries: QueryClient, event: StreamEvent<'user'>): void {
  if (event.type === 'gap' || event.type === 'snapshot') {
    void readAgain(queries, queryKeys.positions);
    return;
  }
  if (event.type === 'notification') return;
  const { id } = event.data;
  invalidatePositions(queries, [queryKeys.positionList, queryKeys.position(id)]);
  invalidateRecords(queries, [queryKeys.transactions(id), queryKeys.walletFigures, queryKeys.limits]);
}

/** Rows of the ledger that events of sales are about. */
const soldKinds: ReadonlyMap<string, LedgerRow['kind']> = new Map([
  ['position.partial_closed', 'close'],
  ['position.force_unwound', 'unwind'],
]);

/** Show a message about an event. That of a sale has its amounts, which only the ledger of the position has. */
async function showEvent(event: StreamEvent<'user'>, positions: FollowedService['positions']): Promise<void> {
  if (event.type === 'gap' || event.type === 'snapshot') return;
  if (event.type === 'notification') {
    showToast({ kind: 'plain', text: event.data.message, positionId: event.data.params.position_id });
    return;
  }
  const soldKind = soldKinds.get(event.type);
  const position = event.data;
  const { ledger } =
    soldKind === undefined ? position : await positions.get(position.id, { expand: ['ledger'] }).catch(() => position);
  const row = ledger?.data.findLast(({ kind }) => kind === soldKind);
  const toast = toastOf(event.type, position, row);
  if (toast !== null) showToast(toast);
}
