/** Clock of the service minus the clock of this page, in milliseconds; zero before the first message. */
let offsetMs = 0;

/** Record the time of a message of the service that this page received at `receivedAtMs` of its own clock. */
export function recordServiceTime(at: string, receivedAtMs: number): void {
  offsetMs = Date.parse(at) - receivedAtMs;
}

/** Return the time of the service, epoch milliseconds: the clock of a computer may be wrong by hours. */
export const serviceNowMs = (): number => Date.now() + offsetMs;
