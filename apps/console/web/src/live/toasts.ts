import { type Signal, signalOf } from './signal.ts';

/** Message that disappears after some seconds. */
export interface Toast {
  readonly id: string;
  readonly kind: 'plain' | 'good' | 'bad';
  readonly text: string;
  /** Position that the message links to. */
  readonly positionId?: string;
}

/** Visible messages, the newest first. */
export const toasts: Signal<readonly Toast[]> = signalOf<readonly Toast[]>([]);
const shownToasts = 5;
const lifeMs = 8_000;
let count = 0;

export function dismissToast(id: string): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

/** Show a message for some seconds. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  count += 1;
  const id = String(count);
  toasts.set([{ ...toast, id }, ...toasts.get()].slice(0, shownToasts));
  setTimeout(() => dismissToast(id), lifeMs);
}
