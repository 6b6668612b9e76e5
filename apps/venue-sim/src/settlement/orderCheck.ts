import { conditionalTokensAbi, OrderSide, SignatureType } from '@core/vault';
import { type Address, erc20Abi, type Hex, isAddressEqual, maxUint256, type PublicClient, recoverAddress } from 'viem';
import type { MakerBalance, SignedOrder } from './settlement.ts';

const erc1271Abi = [
  {
    type: 'function',
    name: 'isValidSignature',
    stateMutability: 'view',
    inputs: [
      { name: 'hash', type: 'bytes32' },
      { name: 'signature', type: 'bytes' },
    ],
    outputs: [{ name: '', type: 'bytes4' }],
  },
] as const;
const erc1271Magic = '0x1626ba7e';

/** Chain and contracts against which an order is checked before it rests or matches. */
export interface OrderCheckChain {
  readonly client: PublicClient;
  readonly usdc: Address;
  readonly conditionalTokens: Address;
  readonly exchange: Address;
}

/**
 * Return the venue's text for refusing an order that is not signed by its maker or not covered by its money; else null.
 * @param orderId Hash that the maker signed; null when the signature was checked already.
 */
export async function orderRefusalOf(
  chain: OrderCheckChain,
  order: SignedOrder,
  orderId: Hex | null,
): Promise<string | null> {
  const [isSigned, { balanceUnits, allowanceUnits }] = await Promise.all([
    orderId === null || isSignedBy(chain, order, orderId),
    makerBalanceOf(chain, order.maker, order.side === OrderSide.Sell ? order.tokenId : null),
  ]);
  if (!isSigned) return 'invalid signature';
  const isCovered = balanceUnits >= order.makerAmount && allowanceUnits >= order.makerAmount;
  return isCovered ? null : 'not enough balance / allowance';
}

async function isSignedBy({ client }: OrderCheckChain, order: SignedOrder, orderId: Hex): Promise<boolean> {
  if (!isAddressEqual(order.maker, order.signer)) return false;
  try {
    if (order.signatureType === SignatureType.Eoa) {
      return isAddressEqual(await recoverAddress({ hash: orderId, signature: order.signature }), order.maker);
    }
    if (order.signatureType !== SignatureType.Erc1271) return false;
    const answer = await client.readContract({
      address: order.maker,
      abi: erc1271Abi,
      functionName: 'isValidSignature',
      args: [orderId, order.signature],
    });
    return answer === erc1271Magic;
  } catch (error) {
    // A malformed signature and a contract that reverts or does not exist both mean: not signed.
    if (error instanceof Error) return false;
    throw error;
  }
}

/**
 * Read an account's balance of an asset and its allowance for the exchange.
 * @param tokenId Null for the collateral.
 */
export async function makerBalanceOf(
  { client, usdc, conditionalTokens, exchange }: OrderCheckChain,
  owner: Address,
  tokenId: bigint | null,
): Promise<MakerBalance> {
  if (tokenId !== null) {
    const read = { address: conditionalTokens, abi: conditionalTokensAbi } as const;
    const [balanceUnits, isApproved] = await Promise.all([
      client.readContract({ ...read, functionName: 'balanceOf', args: [owner, tokenId] }),
      client.readContract({ ...read, functionName: 'isApprovedForAll', args: [owner, exchange] }),
    ]);
    return { balanceUnits, allowanceUnits: isApproved ? maxUint256 : 0n };
  }
  const read = { address: usdc, abi: erc20Abi } as const;
  const [balanceUnits, allowanceUnits] = await Promise.all([
    client.readContract({ ...read, functionName: 'balanceOf', args: [owner] }),
    client.readContract({ ...read, functionName: 'allowance', args: [owner, exchange] }),
  ]);
  return { balanceUnits, allowanceUnits };
}
