import type { IdGenerator } from '@opentelemetry/sdk-trace';

/** Generator of ids whose next trace can be given an id. */
export class TraceIds implements IdGenerator {
  readonly #random: IdGenerator;
  #next: string | null = null;

  constructor(random: IdGenerator) {
    this.#random = random;
  }

  /** Run work whose first trace gets this id. The work starts it synchronously. */
  withTraceId<Result>(traceId: string, work: () => Result): Result {
    this.#next = traceId;
    try {
      return work();
    } finally {
      this.#next = null;
    }
  }

  generateTraceId(): string {
    const id = this.#next ?? this.#random.generateTraceId();
    this.#next = null;
    return id;
  }

  generateSpanId(): string {
    return this.#random.generateSpanId();
  }
}
