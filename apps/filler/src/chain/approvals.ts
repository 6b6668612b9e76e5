import { conditionalTokensAbi } from '@core/vault';
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, type PublicClient } from 'viem';

/** Account, contract or person that may take from it, and the token that is meant. */
export interface Approval {
  readonly owner: Address;
  readonly spender: Address;
  readonly token: Address;
}

/** Call of the owner's that gives an approval. */
export interface ApprovalCall {
  readonly to: Address;
  readonly data: Hex;
}

/** Return the call that lets a spender take all money; null where it may. @throws the client's error */
export async function missingAllowance(
  client: PublicClient,
  { owner, spender, token }: Approval,
): Promise<ApprovalCall | null> {
  const read = { address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, spender] } as const;
  if ((await client.readContract(read)) >= maxUint256 / 2n) return null;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, maxUint256] });
  return { to: token, data };
}

/** Return the call that lets a spender take all outcome tokens; null where it may. @throws the client's error */
export async function missingOperator(
  client: PublicClient,
  { owner, spender, token }: Approval,
): Promise<ApprovalCall | null> {
  const at = { address: token, abi: conditionalTokensAbi } as const;
  if (await client.readContract({ ...at, functionName: 'isApprovedForAll', args: [owner, spender] })) return null;
  const functionName = 'setApprovalForAll';
  return { to: token, data: encodeFunctionData({ abi: conditionalTokensAbi, functionName, args: [spender, true] }) };
}
