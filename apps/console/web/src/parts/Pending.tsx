import { ServiceError } from '@core/sdk';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { errorText } from './errorText.ts';

interface PendingProps {
  /** Heading of the page. */
  readonly title: string;
  /** Name of the data that is loading, such as `markets`. */
  readonly name: string;
  /** Null before a failure. */
  readonly error: unknown;
  /** Key of the query, which a retry sends again. */
  readonly queryKey: QueryKey;
}

/** Delay before the page reports a slow response. */
const slowMs = 3_000;
const rows = [1, 2, 3, 4] as const;

/** Placeholder of data that is loading or failed to load: bars, and after three seconds a way to retry. */
export function Pending({ title, name, error, queryKey }: PendingProps) {
  const queries = useQueryClient();
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowMs);
    return () => clearTimeout(timer);
  }, []);
  const hasFailed = error !== null;
  const subject = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  const text =
    error instanceof ServiceError
      ? `${subject} could not be loaded: ${errorText(error)}`
      : `The service does not respond: ${name} could not be loaded${hasFailed ? ` (${errorText(error)})` : ' yet'}.`;
  // A request without a response would otherwise be waited for until its timeout.
  const retry = async (): Promise<void> => {
    await queries.cancelQueries({ queryKey });
    await queries.refetchQueries({ queryKey });
  };
  return (
    <div className="skeleton">
      <h1>{title}</h1>
      <p role="status" className="hint">
        {hasFailed || isSlow ? '' : `Loading ${name} …`}
      </p>
      {hasFailed || isSlow ? (
        <div role="alert" className="banner">
          <p>{text}</p>
          <button type="button" onClick={() => void retry()}>
            Try again
          </button>
        </div>
      ) : null}
      {hasFailed ? null : rows.map((row) => <i key={row} />)}
    </div>
  );
}
