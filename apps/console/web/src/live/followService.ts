import type { LevUser, Market, Position, StreamEvent } from '@core/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../queryKeys.ts';
import { recordLiquidationPrice, recordPrice } from './history.ts';
import { type Signal, signalOf } from './signal.ts';

export interface Notice {
  readonly id: string;
  readonly text: string;
}

/** The newest notifications, the newest first. */
export const notices: Signal<readonly Notice[]> = signalOf<readonly Notice[]>([]);
const shownNotices = 5;
const retryMs = 5_000;
/** A wallet has sixty requests a minute, and an action of its owner needs some of them. */
const revalueMs = 10_000;
/** Events of one action come within this time: what stands beside the position is read once for all of them. */
const readAgainMs = 2_000;

/** Keeps what the page has read true from the service's sockets, until the signal ends it. */
export function followService(user: LevUser, queries: QueryClient, signal: AbortSignal): void {
  void endlessly(signal, async () => {
    for await (const event of user.events.markets({ signal })) applyMarketEvent(queries, event);
  });
  void endlessly(signal, async () => {
    for await (const event of user.events.stream({ signal })) applyPositionEvent(queries, event);
  });
}

/** A stream ends only with a refused credential or a final close: it is begun anew after a while. */
async function endlessly(signal: AbortSignal, follow: () => Promise<void>): Promise<void> {
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
  if (change.prices === undefined) return;
  recordPrice({ ticker: change.ticker, prices: change.prices }, Date.now());
  revalue(queries, [queryKeys.positionList, queryKeys.openedPosition]);
}

/** Reads the given keys of the page again, a while after the first change and once for all until then. */
function readAgainAfter(delayMs: number) {
  const waiting = new Map<string, readonly string[]>();
  return (queries: QueryClient, changed: readonly (readonly string[])[]): void => {
    const isFirst = waiting.size === 0;
    for (const queryKey of changed) waiting.set(queryKey.join('/'), queryKey);
    if (!isFirst) return;
    setTimeout(() => {
      const due = [...waiting.values()];
      waiting.clear();
      for (const queryKey of due) void queries.invalidateQueries({ queryKey });
    }, delayMs);
  };
}

/** Positions are valued at prices that come without an event of their own. */
const revalue = readAgainAfter(revalueMs);
const readAgain = readAgainAfter(readAgainMs);

function applyPositionEvent(queries: QueryClient, event: StreamEvent<'user'>): void {
  if (event.type === 'gap' || event.type === 'snapshot') {
    void queries.invalidateQueries({ queryKey: queryKeys.positions });
    return;
  }
  if (event.type === 'notification') {
    const notice = { id: event.id, text: event.data.message };
    notices.set([notice, ...notices.get()].slice(0, shownNotices));
    return;
  }
  const position = event.data;
  recordLiquidationPrice(position, Date.now());
  queries.setQueryData<readonly Position[]>(queryKeys.positionList, (known) => known && withPosition(known, position));
  const { id, on_chain_position_key: key } = position;
  queries.setQueryData<Position>(queryKeys.position(id), (known) => known && { ...known, ...position });
  readAgain(queries, [
    queryKeys.position(id),
    queryKeys.transactions(id),
    queryKeys.partialCloses(id),
    queryKeys.debt(key),
    queryKeys.walletFigures,
    queryKeys.limits,
  ]);
}

function withPosition(known: readonly Position[], position: Position): readonly Position[] {
  const isKnown = known.some(({ id }) => id === position.id);
  return isKnown ? known.map((other) => (other.id === position.id ? position : other)) : [position, ...known];
}
