import { useState } from 'react';
import { copyText } from './copyText.ts';

/** Shortened transaction hash or address, with a button that copies all of it. */
export function ShortHash({ hash }: { readonly hash: string }) {
  const [note, setNote] = useState('');
  const copy = async (): Promise<void> => {
    setNote((await copyText(hash)) ? 'Copied' : 'Copy is not allowed here');
  };
  return (
    <span>
      <code title={hash} translate="no">{`${hash.slice(0, 8)}…${hash.slice(-6)}`}</code>{' '}
      <button type="button" className="quiet small" aria-label={`Copy ${hash}`} onClick={() => void copy()}>
        Copy
      </button>
      <span role="status" className="hint">
        {note === '' ? '' : ` ${note}`}
      </span>
    </span>
  );
}
