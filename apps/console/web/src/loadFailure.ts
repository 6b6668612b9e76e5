import { signalOf } from './live/signal.ts';

/** True once a file of the page could not be loaded, as after the next version was put up. */
export const loadFailure = signalOf(false);

const failures = new WeakSet<object>();

/** Record each file that cannot be loaded from now on. */
export function watchLoading(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    failures.add(payload);
    loadFailure.set(true);
  });
}

/** Return true for the failure of an import, whose message names a file in the words of the browser. */
export const isLoadFailure = (error: unknown): boolean => failures.has(Object(error));
