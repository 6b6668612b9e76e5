import { useEffect, useState } from 'react';

interface Loaded<Value> {
  /** Last value that was read; null before the first. */
  readonly value: Value | null;
  /** Failure of the last reading; null after a success. */
  readonly error: unknown;
}

/** Read something when the component appears, and again with each other reading function. */
export function useLoaded<Value>(load: () => Promise<Value>): Loaded<Value> {
  const [loaded, setLoaded] = useState<Loaded<Value>>({ value: null, error: null });
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (value) => isCurrent && setLoaded({ value, error: null }),
      (error: unknown) => isCurrent && setLoaded((before) => ({ ...before, error })),
    );
    return () => {
      isCurrent = false;
    };
  }, [load]);
  return loaded;
}
