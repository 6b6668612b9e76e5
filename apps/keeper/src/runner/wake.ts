/** Signal that ends the pause of a task early, with its subjects. */
export class Wake {
  readonly #subjects = new Set<string>();
  #listener: (() => void) | null = null;

  /** Wake the task for subjects; several calls during one run cause one run. */
  call(subjects: readonly string[]): void {
    for (const subject of subjects) this.#subjects.add(subject);
    if (this.#subjects.size > 0) this.#listener?.();
  }

  /** Return and clear the pending subjects, in the order of their first call. */
  take(): readonly string[] {
    const subjects = [...this.#subjects];
    this.#subjects.clear();
    return subjects;
  }

  /** Set the listener (null clears it). Invoked immediately if subjects are pending. */
  listen(listener: (() => void) | null): void {
    this.#listener = listener;
    if (this.#subjects.size > 0) listener?.();
  }
}
