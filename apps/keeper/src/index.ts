export { configOfEnv } from './env.ts';
export { DebtIndex } from './liquidation/debtIndex.ts';
export { createKeeperMetrics } from './runner/keeperMetrics.ts';
export { type Keeper, type KeeperConfig, startKeeper } from './startKeeper.ts';
