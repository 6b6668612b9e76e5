import { testUsdcAbi } from '@core/vault';
import { encodeFunctionData, parseEther } from 'viem';
import type { PageConfig } from '../pageConfig.ts';
import { chainReaderOf, receiptOf } from './chain.ts';
import { localSignerOf } from './localSigner.ts';
import type { Hex } from './wallet.ts';

/** Test USDC of one request, in units. */
export const faucetUnits = 10_000_000_000n;
const gasWei = parseEther('1');

/**
 * Mint test USDC for an address of the local chain, and send it ether for gas when it has less than one. The first
 * named account signs: minting is open to anyone there.
 */
export async function requestTestUsdc(config: PageConfig, { usdc, to }: { readonly usdc: Hex; readonly to: Hex }) {
  const [account] = config.accounts;
  if (account === undefined) throw new Error('Only a local chain has test USDC.');
  const signer = localSignerOf(account.privateKey, config);
  const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [to, faucetUnits] });
  await receiptOf(config, await signer.send({ to: usdc, data }));
  const balance = await chainReaderOf(config.rpcUrl).getBalance({ address: to });
  if (balance < gasWei) await receiptOf(config, await signer.send({ to, data: '0x' }, gasWei));
}
