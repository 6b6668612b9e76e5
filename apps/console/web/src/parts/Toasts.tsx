import { Link } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { dismissToast, toasts } from '../live/toasts.ts';
import { Sentence } from './Sentence.tsx';

/** Messages about sent transactions and their outcome. */
export function Toasts() {
  const messages = useSyncExternalStore(toasts.subscribe, toasts.get);
  return (
    <ul className="toasts" aria-live="polite" aria-label="Notifications">
      {messages.map(({ id, kind, text, positionId }) => (
        <li key={id} data-kind={kind}>
          <span>
            <Sentence text={text} />{' '}
            {positionId === undefined ? null : (
              <Link to="/positions/$id" params={{ id: positionId }}>
                View
              </Link>
            )}
          </span>
          <button type="button" className="quiet small" aria-label="Dismiss" onClick={() => dismissToast(id)}>
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
