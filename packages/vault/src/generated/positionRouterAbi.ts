// Written by contracts/tools/shared-facts/main.ts; do not edit.
export const positionRouterAbi = [
  {"inputs":[{"internalType":"contract TwinPositionManager","name":"positionManager","type":"address"}],"stateMutability":"nonpayable","type":"constructor"},
  {"inputs":[],"name":"InvalidOutcomeIndex","type":"error"},
  {"inputs":[],"name":"COLLATERAL_TOKEN","outputs":[{"internalType":"address","name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"POSITION_MANAGER","outputs":[{"internalType":"address","name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"bytes31","name":"conditionId","type":"bytes31"},{"internalType":"uint256","name":"amount","type":"uint256"}],"name":"merge","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"bytes31","name":"conditionId","type":"bytes31"},{"internalType":"uint256","name":"outcomeIndex","type":"uint256"},{"internalType":"uint256","name":"amount","type":"uint256"}],"name":"redeem","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"bytes31","name":"conditionId","type":"bytes31"},{"internalType":"uint256","name":"amount","type":"uint256"}],"name":"split","outputs":[],"stateMutability":"nonpayable","type":"function"},
] as const;
