import { buildModule } from '@nomicfoundation/hardhat-ignition/modules';

/**
 * The vault, with its pool and account implementation, on a configured chain where USDC, ConditionalTokens and the
 * exchange exist already. Every value is a parameter: see ignition/parameters/example.json. The owner is meant to be a
 * timelock; the deploying key gets no role.
 */
const vaultModule = buildModule('Vault', (m) => {
  const orderRules = m.library('OrderRules');
  const vault = m.contract('Vault', [m.getParameter('deployment')], { libraries: { OrderRules: orderRules } });
  return { orderRules, vault };
});

export default vaultModule;
