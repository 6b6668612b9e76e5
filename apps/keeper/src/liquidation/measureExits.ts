import { locks, type Task } from '../runner/task.ts';
import type { ExitTimes } from './exitTimes.ts';

/** Keeps what forced sales took and draws the exit times of quotes from it. */
export function measureExitsTask({ exitTimes }: { readonly exitTimes: Pick<ExitTimes, 'update'> }): Task {
  return { name: 'measureExits', lock: locks.signer, intervalMs: 2_000, run: () => exitTimes.update() };
}
