import { useCallback, useEffect, useState } from 'react';
import {
  type HistoryPoint,
  maxPoints,
  noReadings,
  type OperateMessage,
  type OperateReadings,
  operateIntervalMs,
} from '../../../src/operateMessage.ts';
import { useChecked } from '../useChecked.ts';

/** Silence after which the figures of a stream count as old. */
const silentMs = 3 * operateIntervalMs;
/** Delay before a stream that the server refused is opened again; the browser repeats interrupted ones itself. */
const reopenMs = 5_000;

interface FeedState {
  readonly readings: OperateReadings;
  readonly points: readonly HistoryPoint[];
  /** Time of the last message. */
  readonly atMs: number;
}

const nextState = (state: FeedState, { isFirst, readings, points }: OperateMessage): FeedState => ({
  readings: { ...state.readings, ...readings },
  points: isFirst ? points : points.length === 0 ? state.points : [...state.points, ...points].slice(-maxPoints),
  atMs: Date.now(),
});

/** Call `apply` with each message of the stream until the returned function is called. */
function followStream(apply: (message: OperateMessage) => void): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    const stream = new EventSource('./operate/stream');
    source = stream;
    stream.addEventListener('message', ({ data }) => apply(JSON.parse(data)));
    stream.addEventListener('error', () => {
      if (stream.readyState === EventSource.CLOSED) timer = setTimeout(open, reopenMs);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}

/** True when each program has responded or failed. */
export const isWhole = (readings: OperateReadings): boolean =>
  Object.values(readings).every(({ facts, error }) => facts !== null || error !== null);

/**
 * Collect the messages of the stream until the returned function is called. Each program has its own messages: once
 * all have responded, `show` is called at most once in an interval.
 */
function collectMessages(show: (state: FeedState) => void): () => void {
  let state: FeedState = { readings: noReadings, points: [], atMs: Date.now() };
  let timer: ReturnType<typeof setTimeout> | null = null;
  const showLater = (): void => {
    timer = null;
    show(state);
  };
  const stop = followStream((message) => {
    const wasWhole = isWhole(state.readings);
    state = nextState(state, message);
    if (!wasWhole) show(state);
    else timer ??= setTimeout(showLater, operateIntervalMs);
  });
  return () => {
    if (timer !== null) clearTimeout(timer);
    stop();
  };
}

/** Follow the operator data that the server of this page reads. */
export function useOperateFeed(isEnabled: boolean): FeedState & { readonly isSilent: boolean } {
  const [state, setState] = useState<FeedState>(() => ({ readings: noReadings, points: [], atMs: Date.now() }));
  useEffect(() => (isEnabled ? collectMessages(setState) : undefined), [isEnabled]);
  const { atMs } = state;
  const isOld = useCallback(() => Date.now() - atMs > silentMs, [atMs]);
  return { ...state, isSilent: useChecked(isEnabled, isOld) };
}
