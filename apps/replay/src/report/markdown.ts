import type { Interval } from '../measure/bootstrap.ts';

/** Format with two decimals, three below one, more for very small values; a dash for NaN. */
export function numberOf(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const digits = size === 0 || size >= 1 ? 2 : size >= 0.001 ? 3 : 5;
  return value.toFixed(digits).replace(/^-(0(?:\.0+)?)$/, '$1');
}

export function intervalText({ value, lower, upper }: Interval): string {
  return `${numberOf(value)} [${numberOf(lower)}, ${numberOf(upper)}]`;
}

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
