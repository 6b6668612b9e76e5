/** Starts a task before its pause is over, and says for which subjects. */
export class Wake {
  readonly #subjects = new Set<string>();
  #listener: (() => void) | null = null;

  /** Wakes the task for these subjects; many calls during one run make one run. */
  call(subjects: readonly string[]): void {
    for (const subject of subjects) this.#subjects.add(subject);
    if (this.#subjects.size > 0) this.#listener?.();
  }

  /** What the task was woken for since the last time, first come first. */
  take(): readonly string[] {
    const subjects = [...this.#subjects];
    this.#subjects.clear();
    return subjects;
  }

  /** The one who waits for the next call; called at once when there was one since the last `take`. Null: no longer. */
  listen(listener: (() => void) | null): void {
    this.#listener = listener;
    if (this.#subjects.size > 0) listener?.();
  }
}
