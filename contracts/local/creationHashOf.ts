import { type Address, type Hex, isAddressEqual, type PublicClient } from 'viem';

/**
 * The transaction that created a contract, found by walking back through the blocks: few on a local chain.
 *
 * @throws Error when no transaction of an account created it.
 */
export async function creationHashOf(client: PublicClient, contract: Address): Promise<Hex> {
  for (let number = await client.getBlockNumber(); number > 0n; number -= 1n) {
    const { transactions } = await client.getBlock({ blockNumber: number });
    for (const hash of transactions) {
      const { contractAddress } = await client.getTransactionReceipt({ hash });
      if (contractAddress && isAddressEqual(contractAddress, contract)) return hash;
    }
  }
  throw new Error(`no transaction created ${contract}`);
}
