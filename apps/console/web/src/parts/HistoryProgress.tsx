import { useSyncExternalStore } from 'react';
import type { LogHistory, LogState } from '../chain/logHistory.ts';
import { errorText } from './errorText.ts';
import { Sentence } from './Sentence.tsx';

/** Return what has been read of a history, and render again with each part. */
export const useLogState = <Log extends { readonly blockNumber: bigint }>(history: LogHistory<Log>): LogState<Log> =>
  useSyncExternalStore(history.state.subscribe, history.state.get);

interface HistoryProgressProps {
  readonly state: LogState<unknown>;
  readonly onStop: () => void;
  readonly onResume: () => void;
  /** Consequence of blocks that were not read, as a sentence. */
  readonly missing: string;
}

/** Line about a history that is being read or has gaps, with its button; nothing for a complete one. */
export function HistoryProgress({ state, onStop, onResume, missing }: HistoryProgressProps) {
  const { whole, unread, isReading, failure } = state;
  if (isReading) {
    // The newest blocks of a history that was read before take one request.
    if (whole !== null && unread.length === 0) return null;
    return (
      <div className="bar" role="status">
        <span className="hint">
          <Sentence
            text={
              whole === null
                ? 'Reading history …'
                : `History read back to block ${readBackTo(unread)} of ${countText(whole.to)}; it starts at block ${countText(whole.from)}.`
            }
          />
        </span>
        <button type="button" className="quiet" onClick={onStop}>
          Stop
        </button>
      </div>
    );
  }
  if (unread.length === 0 && failure === null) return null;
  return (
    <div role="alert">
      <p>
        <Sentence text={gapText(state, missing)} />
      </p>
      <div className="bar">
        <button type="button" onClick={onResume}>
          Read them again
        </button>
      </div>
    </div>
  );
}

function gapText({ unread, failure }: LogState<unknown>, missing: string): string {
  const gap = unread.length === 0 ? 'The history could not be read.' : `Blocks not read: ${rangesText(unread)}.`;
  return `${gap} ${missing}${failure === null ? '' : ` The node says: ${errorText(failure)}`}`;
}

const countText = (block: bigint): string => block.toLocaleString('en-US');

const readBackTo = (unread: LogState<unknown>['unread']): string => countText((unread.at(-1)?.to ?? -1n) + 1n);

/** Ranges that are named; more would not help. */
const maxRanges = 5;

function rangesText(ranges: LogState<unknown>['unread']): string {
  const texts = ranges.map(({ from, to }) =>
    from === to ? countText(from) : `${countText(from)} to ${countText(to)}`,
  );
  if (texts.length <= maxRanges) return texts.join(', ');
  return `${texts.slice(-maxRanges).join(', ')} and ${texts.length - maxRanges} older ranges`;
}
