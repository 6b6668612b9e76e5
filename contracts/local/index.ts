export { compileContracts } from './compileContracts.ts';
export { deployLocal } from './deployLocal.ts';
export { type LocalAccount, type LocalRoles, localMnemonic, localRoles } from './localAccounts.ts';
export type { LocalContracts, LocalDeployment } from './localDeployment.ts';
export {
  createRequestOf,
  LocalDesk,
  type LocalMarket,
  type LocalPosition,
  type LocalToken,
  type UserLimits,
} from './localDesk.ts';
export { localMoney } from './localMoney.ts';
export { LocalRevert, LocalRpc } from './localRpc.ts';
export { conditionalTokensArtifact, readArtifact } from './readArtifact.ts';
export { type LocalChain, startLocalChain } from './startLocalChain.ts';
