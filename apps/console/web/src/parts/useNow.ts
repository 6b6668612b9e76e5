import { useEffect, useState } from 'react';

const stepMs = 1_000;

/** The time, again every second while something on the page runs out. */
export function useNow(isRunning: boolean): number {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), stepMs);
    return () => clearInterval(timer);
  }, [isRunning]);
  return nowMs;
}
