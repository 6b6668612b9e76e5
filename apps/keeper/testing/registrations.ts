import { conditionalTokensAbi, conditionIdOf, vaultAbi } from '@core/vault';
import { encodeFunctionData, type Hex, keccak256, toHex } from 'viem';
import type { SendRequest } from '../src/transactions/transactionSender.ts';
import type { TestConnections } from './startTestConnections.ts';

/** Prepare a condition on chain by an account, the allowed oracle by default. Return the id of its question. */
export async function prepareQuestion(
  { driver, deployment }: Pick<TestConnections, 'driver' | 'deployment'>,
  question: string,
  account = deployment.roles.oracle,
): Promise<Hex> {
  const questionId = keccak256(toHex(question));
  const args = [account.address, questionId, 2n] as const;
  const data = encodeFunctionData({ abi: conditionalTokensAbi, functionName: 'prepareCondition', args });
  await driver.rpc.send(account, { to: deployment.contracts.conditionalTokens, data });
  return questionId;
}

/** Return the request that registers the first outcome of a prepared question. */
export function registrationOf(
  { deployment, lease }: Pick<TestConnections, 'deployment' | 'lease'>,
  questionId: Hex,
  attempt = 1,
): SendRequest<'register_outcome'> {
  const args = [deployment.roles.oracle.address, questionId, 1n] as const;
  return {
    subject: questionId,
    operation: 'register_outcome',
    attempt,
    plan: {
      kind: 'transaction',
      to: deployment.contracts.vault,
      data: encodeFunctionData({ abi: vaultAbi, functionName: 'registerOutcome', args }),
      details: {},
    },
    lease,
  };
}

/** Return true when exactly one outcome of a question is registered. */
export async function isRegistered(
  { driver, deployment }: Pick<TestConnections, 'driver' | 'deployment'>,
  questionId: Hex,
): Promise<boolean> {
  const conditionId = conditionIdOf({ oracle: deployment.roles.oracle.address, questionId });
  const { vault } = deployment.contracts;
  const event = { address: vault, abi: vaultAbi, eventName: 'OutcomeRegistered', args: { conditionId } } as const;
  return (await driver.rpc.client.getContractEvents({ ...event, fromBlock: 0n })).length === 1;
}
