import { type CoinReading, coinNeedsOf, offeredFeesOf } from '@core/runtime';
import { type Address, formatEther, formatGwei } from 'viem';
import type { Deployment } from './check.ts';

/** Native coin of an account beside what transactions of a keeper may cost now. */
export interface Coin extends CoinReading {
  /** The account and its balance. */
  readonly text: string;
  /** Price of gas above which a keeper sends nothing, and the price now; null below it. */
  readonly ceilingText: string | null;
}

export async function readCoin({ settings, client }: Deployment, account: Address): Promise<Coin> {
  const [balanceWei, price] = await Promise.all([client.getBalance({ address: account }), client.estimateFeesPerGas()]);
  const ceilingWei = BigInt(settings.KEEPER_MAX_FEE_GWEI) * 1_000_000_000n;
  const { maxFeePerGasWei } = offeredFeesOf(price, ceilingWei);
  const gwei = (wei: bigint): string => `${formatGwei(wei)} gwei`;
  const ceilingText =
    price.maxFeePerGas > ceilingWei ? `${gwei(price.maxFeePerGas)}, KEEPER_MAX_FEE_GWEI is ${gwei(ceilingWei)}` : null;
  const text = `${account} has ${formatEther(balanceWei)} of the chain's own coin`;
  return { balanceWei, ...coinNeedsOf(maxFeePerGasWei), text, ceilingText };
}
