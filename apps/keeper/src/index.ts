export { DebtIndex, type DueEntry } from './debt/debtIndex.ts';
export { type CrashPoint, crashAt, crashPoints, type Reach } from './effects/crashPoint.ts';
export type { KeeperContracts } from './ports.ts';
export { type Keeper, type KeeperConfig, startKeeper } from './startKeeper.ts';
export { keeperHeartbeat } from './tasks/beat.ts';
export { type TaskName, tasks } from './tasks.ts';
