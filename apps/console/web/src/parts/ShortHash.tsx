import { useState } from 'react';
import { copyText } from './copyText.ts';
import { ExplorerLink } from './ExplorerLink.tsx';

interface ShortHashProps {
  readonly hash: string;
  /** Block explorer of the chain; null where it has none. */
  readonly explorerUrl: string | null;
}

/** Shortened transaction hash with a button that copies all of it, and a link where the chain has an explorer. */
export function ShortHash({ hash, explorerUrl }: ShortHashProps) {
  const [note, setNote] = useState('');
  const copy = async (): Promise<void> => {
    setNote((await copyText(hash)) ? 'Copied' : 'Copy is not allowed here');
  };
  return (
    <span>
      <code title={hash} translate="no">
        <ExplorerLink kind="tx" id={hash} explorerUrl={explorerUrl} text={`${hash.slice(0, 8)}…${hash.slice(-6)}`} />
      </code>{' '}
      <button type="button" className="quiet small" aria-label={`Copy ${hash}`} onClick={() => void copy()}>
        Copy
      </button>
      <span role="status" className="hint">
        {note === '' ? '' : ` ${note}`}
      </span>
    </span>
  );
}
