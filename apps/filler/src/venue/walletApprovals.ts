import type { WalletCall } from '@core/venue';
import type { Address, PublicClient } from 'viem';
import { missingAllowance, missingOperator } from '../chain/approvals.ts';
import type { FillerContracts } from '../chain/fillerAccount.ts';
import { chainFault } from '../chain/transactionSender.ts';

/** State of a deposit wallet on chain, with the calls that it still has to make. */
export interface WalletState {
  readonly isMade: boolean;
  /** Approvals of the exchange, without which no order is filled. */
  readonly tradeCalls: readonly WalletCall[];
  /** Approvals of its owner, without which only the venue's relayer moves something out. */
  readonly takeCalls: readonly WalletCall[];
}

/** Contracts that a wallet approves, and those whose assets it moves. */
type ApprovedContracts = Pick<
  FillerContracts,
  'usdc' | 'conditionalTokens' | 'exchange' | 'positionManager' | 'managedExchange'
>;

/** Read what a deposit wallet may do. @throws Fault retryable when the chain does not answer. */
export async function readWallet(
  client: PublicClient,
  {
    wallet,
    owner,
    contracts,
  }: { readonly wallet: Address; readonly owner: Address; readonly contracts: ApprovedContracts },
): Promise<WalletState> {
  try {
    const code = await client.getCode({ address: wallet });
    const { usdc, conditionalTokens, exchange, positionManager, managedExchange } = contracts;
    const managed = positionManager === null || managedExchange === null ? [] : [positionManager];
    const missing = (spender: Address, ledgers: readonly Address[]): Promise<readonly WalletCall[]> =>
      missingApprovals(client, { wallet, spender, usdc, ledgers });
    const [tradeCalls, managedTradeCalls, takeCalls] = await Promise.all([
      missing(exchange, [conditionalTokens]),
      managedExchange === null ? [] : missing(managedExchange, managed),
      missing(owner, [conditionalTokens, ...managed]),
    ]);
    return { isMade: code !== undefined, tradeCalls: [...tradeCalls, ...managedTradeCalls], takeCalls };
  } catch (cause) {
    throw chainFault('the deposit wallet cannot be read', cause);
  }
}

interface WalletApproval {
  readonly wallet: Address;
  readonly spender: Address;
  readonly usdc: Address;
  /** Contracts of outcome tokens that the spender may move. */
  readonly ledgers: readonly Address[];
}

async function missingApprovals(
  client: PublicClient,
  { wallet: owner, spender, usdc, ledgers }: WalletApproval,
): Promise<readonly WalletCall[]> {
  const calls = await Promise.all([
    missingAllowance(client, { owner, spender, token: usdc }),
    ...ledgers.map((token) => missingOperator(client, { owner, spender, token })),
  ]);
  return calls.flatMap((call) => (call === null ? [] : [{ target: call.to, value: 0n, data: call.data }]));
}
