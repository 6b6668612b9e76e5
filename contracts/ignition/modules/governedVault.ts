import { readFileSync } from 'node:fs';
import { buildModule } from '@nomicfoundation/hardhat-ignition/modules';
import { zeroAddress } from 'viem';
import type { Artifact } from '../../local/compilation/readArtifact.ts';
import { ignitionArtifactOf } from '../../tools/deployment/ignitionArtifact.ts';
import { timelockArtifactPath } from '../../tools/deployment/runtimeCode.ts';
import { vaultLibrariesOf } from '../vaultLibraries.ts';

/**
 * The vault owned by a timelock of its own, on a configured chain where USDC, ConditionalTokens and the exchange exist
 * already: OpenZeppelin's TimelockController as published, administered by itself alone, then the vault with its pool
 * and account implementation, and its filler with pairs. The deploying key gets no role. Parameters:
 * ignition/parameters/governed.example.json.
 */
const governedVaultModule = buildModule('GovernedVault', (m) => {
  const published: Artifact = JSON.parse(readFileSync(timelockArtifactPath(), 'utf8'));
  const timelock = m.contract('TimelockController', ignitionArtifactOf('TimelockController', published), [
    m.getParameter('minDelaySeconds'),
    m.getParameter('proposers'),
    m.getParameter('executors'),
    zeroAddress,
  ]);
  const deployment = {
    owner: timelock,
    guardian: m.getParameter('guardian'),
    treasury: m.getParameter('treasury'),
    quoteSigner: m.getParameter('quoteSigner'),
    priceSigners: m.getParameter('priceSigners'),
    priceThreshold: m.getParameter('priceThreshold'),
    keepers: m.getParameter('keepers'),
    oracles: m.getParameter('oracles'),
    builders: m.getParameter('builders'),
    exchange: m.getParameter('exchange'),
    positionManager: m.getParameter('positionManager'),
    positionRouter: m.getParameter('positionRouter'),
    oracleAggregator: m.getParameter('oracleAggregator'),
    poolParameters: m.getParameter('poolParameters'),
  };
  const vault = m.contract('Vault', [deployment], { libraries: vaultLibrariesOf(m) });
  return { timelock, vault, pairFiller: m.contract('PairFiller', [vault]) };
});

export default governedVaultModule;
