interface Reading<Result> {
  /** The read that all wait for who ask now; null while none has asked since the running one began. */
  next: Promise<Result> | null;
  running: Promise<Result>;
}

/**
 * Share concurrent reads of one key. A caller during a read does not get its answer, which may be older than the call:
 * all callers meanwhile share the next one, which begins at its end. A read that fails, fails for those who share it.
 */
export function shareReads<Result>(read: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  const readings = new Map<string, Reading<Result>>();
  const begin = (key: string): Promise<Result> => {
    const running = read(key);
    const reading: Reading<Result> = { running, next: null };
    readings.set(key, reading);
    const end = (): void => {
      if (readings.get(key) === reading && reading.next === null) readings.delete(key);
    };
    running.then(end, end);
    return running;
  };
  return (key) => {
    const reading = readings.get(key);
    if (reading === undefined) return begin(key);
    const again = (): Promise<Result> => begin(key);
    reading.next ??= reading.running.then(again, again);
    return reading.next;
  };
}
