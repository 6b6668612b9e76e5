import { FriendlyError } from '@core/runtime';
import { testUsdcAbi } from '@core/vault';
import { createPublicClient, createWalletClient, erc20Abi, type Hex, http, isAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type Answer, tableOf } from '../answer.ts';
import type { Context } from '../context.ts';
import { usdcText, usdcUnitsOfText } from '../usdc.ts';

/** Accounts of the stack with what they hold. */
export async function accounts({ stack }: Context): Promise<Answer> {
  const { accounts: all, rpcUrl, contracts } = stack();
  const reader = createPublicClient({ transport: http(rpcUrl) });
  const held = await Promise.all(
    all.map(({ address }) =>
      reader.readContract({ address: contracts.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
    ),
  );
  const value = all.map(({ name, address }, index) => ({ name, address, usdc_units: String(held[index]) }));
  const rows = value.map(({ name, address, usdc_units: units }) => [name, address, usdcText(BigInt(units))]);
  return { value, text: tableOf(['ACCOUNT', 'ADDRESS', 'USDC'], rows) };
}

/** Test USDC for one of them, or for any address; the token of the local chain lets anyone make it. */
export async function fund({ stack, account, option }: Context, [who = '']: readonly string[]): Promise<Answer> {
  const { rpcUrl, contracts } = stack();
  const to = isAddress(who) ? who : account(who).address;
  const units = usdcUnitsOfText('--usd', option('usd') ?? '1000');
  if (units === 0n) throw new FriendlyError('--usd: give more than nothing');
  const sender = privateKeyToAccount(account('alice').privateKey as Hex);
  const writer = createWalletClient({ account: sender, transport: http(rpcUrl) });
  const call = {
    address: contracts.usdc,
    abi: testUsdcAbi,
    functionName: 'mint',
    args: [to, units],
    chain: null,
  } as const;
  const hash = await writer.writeContract(call);
  const reader = createPublicClient({ transport: http(rpcUrl) });
  await reader.waitForTransactionReceipt({ hash });
  const value = { address: to, usdc_units: String(units), transaction_hash: hash };
  return { value, text: `${usdcText(units)} USDC for ${to}` };
}
