import { useEffect, useState } from 'react';

const stepMs = 1_000;

/** Return the time of a clock, this page's by default, updated every second while a countdown is running. */
export function useNow(isRunning: boolean, clock: () => number = Date.now): number {
  const [nowMs, setNow] = useState(clock);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(clock()), stepMs);
    return () => clearInterval(timer);
  }, [isRunning, clock]);
  return nowMs;
}
