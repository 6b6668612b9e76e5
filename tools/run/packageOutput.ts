/** Lines stored per task: enough for the failures that a test runner lists at its end. */
const keptLines = 150;

const prefixed = /^(?<task>@core\/[^\s:]+:[^\s:]+): (?<text>.*)$/v;

/**
 * The last lines of each task. Packages run in parallel and turbo continues after a failure, so the reason may be
 * thousands of lines above the end; it is printed again from here.
 */
export class PackageOutput {
  readonly #linesOf = new Map<string, string[]>();

  /** Store a line. @param line Line of turbo: `@core/name:task: text`. Other lines belong to turbo itself. */
  add(line: string): void {
    const { task, text } = prefixed.exec(line)?.groups ?? {};
    if (task === undefined || text === undefined) return;
    const lines = this.#linesOf.get(task) ?? [];
    lines.push(text);
    if (lines.length > keptLines) lines.shift();
    this.#linesOf.set(task, lines);
  }

  /** Return the last lines of the failed tasks, each under its name. */
  failures(failed: Iterable<string>): string {
    return [...failed]
      .map((task) => `\n── ${task} failed; its last lines:\n${(this.#linesOf.get(task) ?? []).join('\n')}\n`)
      .join('');
  }
}

const failedTask = /^\s*(?<name>@core\/[^\s#]+)#(?<script>\S+):\s+ERROR\s+command \((?<folder>[^\)]+)\)/v;

/** A failed task: name as in the prefix of its lines (`@core/name:task`), script, and folder of its package. */
export interface FailedTask {
  readonly task: string;
  readonly script: string;
  readonly folder: string;
}

/** Return the task that a line of turbo reports as failed; null for any other line. */
export function failedTaskOf(line: string): FailedTask | null {
  const { name, script, folder } = failedTask.exec(line)?.groups ?? {};
  if (name === undefined || script === undefined || folder === undefined) return null;
  return { task: `${name}:${script}`, script, folder };
}
