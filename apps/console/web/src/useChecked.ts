import { useEffect, useState } from 'react';

const checkMs = 1_000;

/** Return the result of a check that is repeated every second; only another result renders the component again. */
export function useChecked(isRunning: boolean, check: () => boolean): boolean {
  const [isTrue, setTrue] = useState(check);
  useEffect(() => {
    setTrue(check());
    if (!isRunning) return undefined;
    const timer = setInterval(() => setTrue(check()), checkMs);
    return () => clearInterval(timer);
  }, [isRunning, check]);
  return isTrue;
}
