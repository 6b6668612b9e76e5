/** A part of a program that is ending, with the name that operators know it by. */
export type Ending = readonly [name: string, end: Promise<unknown>];

/**
 * Await the end of every part.
 * @throws Error that names the parts which have not ended within the limit, and the first failure of a part.
 */
export async function awaitEnds(endings: readonly Ending[], limitMs: number): Promise<void> {
  const open = new Set(endings.map(([name]) => name));
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Error(`${[...open].join(', ')}: no end within ${limitMs} ms`));
  }, limitMs);
  const ended = endings.map(async ([name, end]) => {
    await end;
    open.delete(name);
  });
  try {
    await Promise.race([Promise.all(ended), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
