import { conditionalTokensAbi, conditionIdOf, tokenIdsOf, vaultAbi } from '@core/vault';
import { encodeFunctionData, type Hex, keccak256, toHex } from 'viem';
import type { LocalDeployment } from './localDeployment.ts';
import type { LocalRpc } from './localRpc.ts';

/** One outcome token of a market. */
export interface LocalToken {
  readonly conditionId: Hex;
  readonly tokenId: bigint;
}

/** A binary market on the local chain, both outcomes registered with the vault. */
export interface LocalMarket {
  readonly questionId: Hex;
  readonly yes: LocalToken;
  readonly no: LocalToken;
}

/** Prepares a condition of the local oracle and registers both of its outcomes with the vault. */
export async function openLocalMarket(
  rpc: LocalRpc,
  deployment: LocalDeployment,
  question: string,
): Promise<LocalMarket> {
  const { contracts, roles } = deployment;
  const questionId = keccak256(toHex(question));
  const oracle = roles.oracle.address;
  await rpc.send(roles.oracle, {
    to: contracts.conditionalTokens,
    data: encodeFunctionData({
      abi: conditionalTokensAbi,
      functionName: 'prepareCondition',
      args: [oracle, questionId, 2n],
    }),
  });
  for (const indexSet of [1n, 2n]) {
    const args = [oracle, questionId, indexSet] as const;
    await rpc.send(roles.keeper, {
      to: contracts.vault,
      data: encodeFunctionData({ abi: vaultAbi, functionName: 'registerOutcome', args }),
    });
  }
  const conditionId = conditionIdOf({ oracle, questionId });
  const [yes, no] = tokenIdsOf({ collateralToken: contracts.usdc, conditionId });
  return { questionId, yes: { conditionId, tokenId: yes }, no: { conditionId, tokenId: no } };
}

/** The oracle's word: numerators for YES and NO, such as [1, 0], or [1, 1] for a void market. */
export async function reportLocalPayouts(
  rpc: LocalRpc,
  deployment: LocalDeployment,
  report: { readonly market: LocalMarket; readonly payouts: readonly [bigint, bigint] },
): Promise<void> {
  await rpc.send(deployment.roles.oracle, {
    to: deployment.contracts.conditionalTokens,
    data: encodeFunctionData({
      abi: conditionalTokensAbi,
      functionName: 'reportPayouts',
      args: [report.market.questionId, report.payouts],
    }),
  });
}
