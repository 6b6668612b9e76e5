import { stripVTControlCharacters } from 'node:util';

/** Lines kept of every task: enough for the failures a test runner lists at its end. */
const keptLines = 150;

/** A failure as vitest lists it at its end. */
const failedFile = /^\s*FAIL\s+(?<file>\S+\.test\.tsx?)(?:\s|$)/v;

const prefixed = /^(?<task>@core\/[^\s:]+:[^\s:]+): (?<text>.*)$/v;

/**
 * What each task printed last. Rooms run side by side and turbo goes on after a failure, so the reason of a failure may
 * stand thousands of lines above the end; here it is kept to be said once more.
 */
export class RoomOutput {
  readonly #linesOf = new Map<string, string[]>();
  readonly #failedFilesOf = new Map<string, Set<string>>();

  /** @param line One line as turbo streams it: `@core/room:task: text`. Any other line is turbo's own. */
  add(line: string): void {
    const { task, text } = prefixed.exec(line)?.groups ?? {};
    if (task === undefined || text === undefined) return;
    const lines = this.#linesOf.get(task) ?? [];
    lines.push(text);
    if (lines.length > keptLines) lines.shift();
    this.#linesOf.set(task, lines);
    const { file } = failedFile.exec(stripVTControlCharacters(text))?.groups ?? {};
    if (file !== undefined) this.#failedFilesOf.set(task, (this.#failedFilesOf.get(task) ?? new Set()).add(file));
  }

  /** The test files of a task that failed, as vitest named them; none where its runner names no files. */
  failedFilesOf(task: string): readonly string[] {
    return [...(this.#failedFilesOf.get(task) ?? [])];
  }

  /** The last lines of the tasks that failed, each under its name. */
  failures(failed: Iterable<string>): string {
    return [...failed]
      .map((task) => `\n── ${task} failed; its last lines:\n${(this.#linesOf.get(task) ?? []).join('\n')}\n`)
      .join('');
  }
}

const failedTask = /^\s*(?<room>@core\/[^\s#]+)#(?<task>\S+):\s+ERROR /v;

/** The task a line of turbo reports as failed, as `@core/room:task`; null for any other line. */
export function failedTaskOf(line: string): string | null {
  const { room, task } = failedTask.exec(line)?.groups ?? {};
  return room === undefined || task === undefined ? null : `${room}:${task}`;
}

/** The room of a task named `@core/room:task`. */
export function roomOfTask(task: string): string {
  return task.slice(0, task.lastIndexOf(':'));
}
