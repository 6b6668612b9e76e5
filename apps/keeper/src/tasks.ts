import type { Lease } from '@core/store';
import type { KeeperPorts } from './ports.ts';
import { advancePositions } from './tasks/advancePositions.ts';
import { beat } from './tasks/beat.ts';
import { followDebts } from './tasks/followDebts.ts';
import { indexChain } from './tasks/indexChain.ts';
import { readPayouts } from './tasks/readPayouts.ts';
import { registerOutcomes } from './tasks/registerOutcomes.ts';
import { releaseReservations } from './tasks/releaseReservations.ts';
import { removeExpired } from './tasks/removeExpired.ts';
import { syncCatalogue } from './tasks/syncCatalogue.ts';
import { tendLane } from './tasks/tendLane.ts';

/** What sends transactions or orders runs under one lock, so that with several keepers every effect happens once. */
export const effectsLock = 'keeper:effects';

export interface Task {
  readonly name: string;
  /** All tasks run by the clock; a task that finds nothing to do costs one query. */
  readonly trigger: 'interval';
  /** Held by one keeper at a time; the task runs only there. */
  readonly lock: string;
  readonly intervalMs: number;
  run(ports: KeeperPorts, lease: Lease): Promise<void>;
}

/** Every task of the keeper. Environment names, metrics and health follow from this table. */
export const tasks = [
  { name: 'syncCatalogue', trigger: 'interval', lock: 'keeper:catalogue', intervalMs: 3_000, run: syncCatalogue },
  { name: 'indexChain', trigger: 'interval', lock: 'keeper:index', intervalMs: 250, run: indexChain },
  { name: 'readPayouts', trigger: 'interval', lock: 'keeper:index', intervalMs: 1_000, run: readPayouts },
  { name: 'registerOutcomes', trigger: 'interval', lock: effectsLock, intervalMs: 1_000, run: registerOutcomes },
  { name: 'followDebts', trigger: 'interval', lock: effectsLock, intervalMs: 1_000, run: followDebts },
  { name: 'advancePositions', trigger: 'interval', lock: effectsLock, intervalMs: 300, run: advancePositions },
  { name: 'tendLane', trigger: 'interval', lock: effectsLock, intervalMs: 1_000, run: tendLane },
  {
    name: 'releaseReservations',
    trigger: 'interval',
    lock: 'keeper:cleaning',
    intervalMs: 1_000,
    run: releaseReservations,
  },
  { name: 'beat', trigger: 'interval', lock: effectsLock, intervalMs: 1_000, run: beat },
  { name: 'removeExpired', trigger: 'interval', lock: 'keeper:cleaning', intervalMs: 60_000, run: removeExpired },
] as const satisfies readonly Task[];

export type TaskName = (typeof tasks)[number]['name'];
