import type { DoctorSettings } from './doctorSettings.ts';

const requestTimeoutMs = 5_000;

/** Answer of a program or of the venue. */
interface Answer {
  /** Null without a response. */
  readonly status: number | null;
  readonly body: unknown;
  /** Target of a redirect, which no program follows; null for any other answer. */
  readonly target: string | null;
  /** Clock of the program that answered, to the whole second; null without one. */
  readonly clockMs: number | null;
}

/** Request an address without throwing. */
export async function answerOf(url: string): Promise<Answer> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(requestTimeoutMs) });
    const target = response.headers.get('location');
    const clockMs = Date.parse(response.headers.get('date') ?? '');
    const clock = { clockMs: Number.isNaN(clockMs) ? null : clockMs };
    return { status: response.status, body: await response.json().catch(() => null), target, ...clock };
  } catch {
    return { status: null, body: null, target: null, clockMs: null };
  }
}

export function statusText({ status, target }: Answer): string {
  if (target !== null) return `redirects to ${target}: set the address of the service itself`;
  return status === null ? 'does not answer' : `answers ${status}`;
}

/** Address of the readiness of the API on this machine. */
export const apiReadinessUrl = ({ PORT }: Pick<DoctorSettings, 'PORT'>): string => `http://127.0.0.1:${PORT}/readyz`;
export const signerReadinessUrl = (url: string): string => `${url.replace(/\/$/, '')}/readyz`;
