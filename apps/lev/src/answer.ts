/** What a command has found: the value that `--json` prints, and the same for people. */
export interface Answer {
  readonly value: unknown;
  readonly text: string;
  /** Set where the command did its work and what it looked at is not in order. */
  readonly isFailedCheck?: boolean;
}

/** One answer, or a stream of them. */
export type Answers = Promise<Answer> | AsyncIterable<Answer>;

/** Rows under their heads, in columns. */
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

/** Names with their values, one a line. */
export function fieldsText(fields: Readonly<Record<string, string | number | null | undefined>>): string {
  const shown = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${String(value)}`).join('\n');
}
