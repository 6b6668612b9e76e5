import { buildModule } from '@nomicfoundation/hardhat-ignition/modules';
import { vaultLibrariesOf } from '../vaultLibraries.ts';

/**
 * The vault, with its pool and account implementation, and its filler with pairs, on a configured chain where USDC,
 * ConditionalTokens and the exchange exist already. Every value is a parameter: see ignition/parameters/example.json.
 * The owner is meant to be a timelock; the deploying key gets no role.
 */
const vaultModule = buildModule('Vault', (m) => {
  const vault = m.contract('Vault', [m.getParameter('deployment')], { libraries: vaultLibrariesOf(m) });
  return { vault, pairFiller: m.contract('PairFiller', [vault]) };
});

export default vaultModule;
