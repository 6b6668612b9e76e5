import { useEffect, useRef, useState } from 'react';

interface Pace<Value> {
  /** Milliseconds between two changes of what is returned. */
  readonly paceMs: number;
  /** Name of the series that a value belongs to: a value of another series is returned at once. */
  readonly seriesOf: (value: Value) => unknown;
}

/** Return a value that changes at most once in a time; the last change of that time is returned at its end. */
export function usePaced<Value>(value: Value, { paceMs, seriesOf }: Pace<Value>): Value {
  const [shown, setShown] = useState(value);
  const shownAtMs = useRef(0);
  const isOfAnother = !Object.is(seriesOf(shown), seriesOf(value));
  if (isOfAnother) setShown(value);
  useEffect(() => {
    if (Object.is(shown, value)) return undefined;
    const show = (): void => {
      shownAtMs.current = Date.now();
      setShown(value);
    };
    const timer = setTimeout(show, Math.max(0, shownAtMs.current + paceMs - Date.now()));
    return () => clearTimeout(timer);
  }, [value, shown, paceMs]);
  return isOfAnother ? value : shown;
}
