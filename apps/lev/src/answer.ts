/** Result of a command: the value that `--json` prints, and the text that a terminal shows. */
export interface Answer {
  readonly value: unknown;
  readonly text: string;
  /** True when the command ran and one of its checks failed. */
  readonly isFailedCheck?: boolean;
}

/** One answer, or a stream of them. */
export type Answers = Promise<Answer> | AsyncIterable<Answer>;

/** Return rows under their heads, in aligned columns. */
export function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heads, ...rows];
  const widths = heads.map((_head, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Return names with their values, one per line; null and undefined values are left out. */
export function fieldsText(fields: Readonly<Record<string, string | number | null | undefined>>): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${String(value)}`).join('\n');
}
