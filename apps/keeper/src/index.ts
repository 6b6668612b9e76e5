export { DebtIndex } from './liquidation/debtIndex.ts';
export { type Keeper, type KeeperConfig, startKeeper } from './startKeeper.ts';
