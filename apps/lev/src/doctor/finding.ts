export interface Finding {
  readonly ok: boolean;
  readonly detail: string;
  /** Fix of this finding when it differs from that of the check. */
  readonly fix?: string;
}

export const good = (detail: string): Finding => ({ ok: true, detail });
export const bad = (detail: string): Finding => ({ ok: false, detail });

/** Return a field of a response; undefined when it is absent. */
export const fieldOf = (answer: unknown, name: string): unknown =>
  typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined;
