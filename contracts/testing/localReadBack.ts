import assert from 'node:assert/strict';
import { liquidityPoolAbi, vaultAbi, venueExchangeAbi } from '@core/vault';
import { type Address, type Hex, keccak256 } from 'viem';
import { localVaultDeployment } from '../local/deployLocal.ts';
import {
  creationHashOf,
  deployLocal,
  type LocalChain,
  type LocalDeployment,
  LocalRpc,
  startLocalChain,
} from '../local/index.ts';
import type { ExpectedDeployment } from '../tools/deployment/deploymentParameters.ts';
import type { DeploymentCreation } from '../tools/deployment/read-back/readDeployment.ts';

/** A local deployment and what its read-back expects. */
export interface LocalReadBack {
  readonly chain: LocalChain;
  readonly rpc: LocalRpc;
  readonly local: LocalDeployment;
  readonly expected: ExpectedDeployment;
  readonly creation: DeploymentCreation;
}

export async function startLocalReadBack(): Promise<LocalReadBack> {
  const chain = await startLocalChain({ blockIntervalMs: 0 });
  const local = await deployLocal({ rpcUrl: chain.rpcUrl });
  const rpc = new LocalRpc(chain.rpcUrl, [...vaultAbi, ...liquidityPoolAbi, ...venueExchangeAbi]);
  const expected = {
    deployment: localVaultDeployment(local.roles, local.contracts),
    timelock: null,
    facts: {
      chainId: BigInt(local.chainId),
      fromBlock: local.deploymentBlock,
      venueDomain: local.venueDomain,
      usdcCodeHash: await codeHashOf(rpc, local.contracts.usdc),
      exchangeCodeHash: await codeHashOf(rpc, local.contracts.exchange),
      conditionalTokensCodeHash: await codeHashOf(rpc, local.contracts.conditionalTokens),
      positionManagerCodeHash: await codeHashOf(rpc, local.contracts.positionManager),
      positionRouterCodeHash: await codeHashOf(rpc, local.contracts.positionRouter),
      oracleAggregatorCodeHash: await codeHashOf(rpc, local.contracts.oracleAggregator),
    },
  };
  return { chain, rpc, local, expected, creation: { vault: await creationHashOf(rpc.client, local.contracts.vault) } };
}

export async function codeHashOf(rpc: LocalRpc, address: Address): Promise<Hex> {
  const code = await rpc.client.getCode({ address });
  assert.ok(code);
  return keccak256(code);
}
