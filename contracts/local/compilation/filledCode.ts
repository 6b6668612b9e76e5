import type { Hex } from 'viem';
import type { CodeGap } from './compiledContract.ts';

/** Fill gaps of compiled code with a value of their length. */
export function filledCode(code: string, gaps: readonly CodeGap[], value: Hex): string {
  let filled = code;
  for (const { start, length } of gaps) {
    const from = 2 + 2 * start;
    filled = filled.slice(0, from) + value.slice(2).toLowerCase() + filled.slice(from + 2 * length);
  }
  return filled;
}
