import type { Task } from '../runner/task.ts';
import { type AnnounceOptions, announceUnresolvedTask } from './announceUnresolved.ts';
import { type ListOwedMarketsOptions, listOwedMarketsTask } from './listOwedMarkets.ts';
import { type ReadPayoutsOptions, readPayoutsTask } from './readPayouts.ts';
import { type RegisterOutcomesOptions, registerOutcomesTask } from './registerOutcomes.ts';
import { type SettleMarketsOptions, settleMarketsTask } from './settleMarkets.ts';
import { type SyncCatalogueOptions, syncCatalogueTask } from './syncCatalogue.ts';

export type MarketTaskOptions = AnnounceOptions &
  ListOwedMarketsOptions &
  ReadPayoutsOptions &
  RegisterOutcomesOptions &
  SettleMarketsOptions &
  SyncCatalogueOptions;

/** Build the tasks that one keeper runs for all markets: catalogue, registration, payouts and settlement. */
export const marketTasks = (options: MarketTaskOptions): readonly Task[] => [
  syncCatalogueTask(options),
  listOwedMarketsTask(options),
  readPayoutsTask(options),
  settleMarketsTask(options),
  announceUnresolvedTask(options),
  registerOutcomesTask(options),
];
