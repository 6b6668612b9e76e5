export { type LocalAccount, type LocalRoles, localMnemonic, localRoles } from './localAccounts.ts';
export type { LocalContracts, LocalDeployment } from './localDeployment.ts';
export { type LocalChain, startLocalChain } from './startLocalChain.ts';
