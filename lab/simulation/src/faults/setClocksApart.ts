import type { Random } from '../runtime/random.ts';
import type { Programs } from '../world/programs.ts';
import type { Say } from './fault.ts';

/** Set the wall clock of each program ahead or behind, by at most so many milliseconds. */
export function setClocksApart(
  programs: Programs,
  { apartMs, random, say }: { readonly apartMs: number; readonly random: Random; readonly say: Say },
): void {
  if (apartMs === 0) return;
  for (const name of programs.names) {
    const offsetMs = random.between(-apartMs, apartMs + 1);
    programs.setClock(name, offsetMs);
    say(`the clock of the ${name} is off by ${offsetMs} ms`);
  }
}
