import { encodeDeployData, type Hex, zeroAddress } from 'viem';
import { type Artifact, readArtifact, readPublished } from '../../local/compilation/readArtifact.ts';
import type { VaultDeployment } from '../../local/vaultDeployment.ts';
import type { VaultLibraries } from '../../local/vaultLibraries.ts';
import type { TimelockParameters } from './deploymentParameters.ts';
import { timelockArtifactPath } from './runtimeCode.ts';

/** Expected input of a creating transaction: the code, and the constructor's arguments right after it. */
export interface CreationCode {
  readonly code: Hex;
  readonly constructorArguments: Hex;
}

/** The vault's creation code, which has one of its libraries create pool and account implementation. */
export function vaultCreationCode(deployment: VaultDeployment, libraries: VaultLibraries): CreationCode {
  return creationCodeOf(readArtifact('Vault', libraries), [deployment]);
}

/** The timelock's creation code as its authors published it, for a timelock without an administrator besides itself. */
export function timelockCreationCode({ minDelaySeconds, proposers, executors }: TimelockParameters): CreationCode {
  const published = readPublished(timelockArtifactPath());
  return creationCodeOf(published, [minDelaySeconds, proposers, executors, zeroAddress]);
}

function creationCodeOf({ abi, bytecode }: Artifact, args: readonly unknown[]): CreationCode {
  const input = encodeDeployData({ abi, bytecode, args }).toLowerCase();
  return { code: `0x${input.slice(2, bytecode.length)}`, constructorArguments: `0x${input.slice(bytecode.length)}` };
}
