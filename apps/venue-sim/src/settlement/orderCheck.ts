import { conditionalTokensAbi, OrderSide, SignatureType } from '@core/vault';
import { type Address, erc20Abi, type Hex, isAddressEqual, type PublicClient, recoverAddress } from 'viem';
import type { SignedOrder } from './settlement.ts';

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

/** Where an order is checked before it may rest or match. */
export interface OrderCheckChain {
  readonly client: PublicClient;
  readonly usdc: Address;
  readonly conditionalTokens: Address;
  readonly exchange: Address;
}

/** The venue's text for refusing an order that is not signed by its maker or not covered by its money; else null. */
export async function orderRefusalOf(chain: OrderCheckChain, order: SignedOrder, orderId: Hex): Promise<string | null> {
  const [isSigned, isCovered] = await Promise.all([isSignedBy(chain, order, orderId), isCoveredBy(chain, order)]);
  if (!isSigned) return 'invalid signature';
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

async function isCoveredBy(chain: OrderCheckChain, order: SignedOrder): Promise<boolean> {
  const { client, usdc, conditionalTokens, exchange } = chain;
  if (order.side === OrderSide.Sell) {
    const read = { address: conditionalTokens, abi: conditionalTokensAbi } as const;
    const [held, isApproved] = await Promise.all([
      client.readContract({ ...read, functionName: 'balanceOf', args: [order.maker, order.tokenId] }),
      client.readContract({ ...read, functionName: 'isApprovedForAll', args: [order.maker, exchange] }),
    ]);
    return isApproved && held >= order.makerAmount;
  }
  const read = { address: usdc, abi: erc20Abi } as const;
  const [held, allowed] = await Promise.all([
    client.readContract({ ...read, functionName: 'balanceOf', args: [order.maker] }),
    client.readContract({ ...read, functionName: 'allowance', args: [order.maker, exchange] }),
  ]);
  return held >= order.makerAmount && allowed >= order.makerAmount;
}
