import { type CoinReading, coinNeedsOf, offeredFeesOf } from '@core/runtime';
import { type Address, formatEther } from 'viem';
import type { Deployment } from './check.ts';

/** Native coin of an account beside what transactions of a keeper may cost now. */
export interface Coin extends CoinReading {
  /** The account and its balance. */
  readonly text: string;
}

export async function readCoin({ settings, client }: Deployment, account: Address): Promise<Coin> {
  const [balanceWei, price] = await Promise.all([client.getBalance({ address: account }), client.estimateFeesPerGas()]);
  const { maxFeePerGasWei } = offeredFeesOf(price, BigInt(settings.KEEPER_MAX_FEE_GWEI) * 1_000_000_000n);
  const text = `${account} has ${formatEther(balanceWei)} of the chain's own coin`;
  return { balanceWei, ...coinNeedsOf(maxFeePerGasWei), text };
}
