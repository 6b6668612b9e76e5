import type { Fault } from './fault.ts';

/** Milliseconds that a wall clock may be ahead or behind. */
const apartMs = { low: -900, end: 900 } as const;

/** Wall clocks of the programs are up to a second apart. */
export const clocksApart: Fault = ({ world, random, say }) => {
  const { programs } = world;
  const { names } = programs;
  for (const name of names) {
    const offsetMs = random.between(apartMs.low, apartMs.end);
    programs.setClock(name, offsetMs);
    say(`fault: the clock of the ${name} is off by ${offsetMs} ms`);
  }
  return () => {
    for (const name of names) programs.setClock(name, 0);
  };
};
