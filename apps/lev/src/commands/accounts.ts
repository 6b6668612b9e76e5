import { FriendlyError } from '@core/runtime';
import { sendCall } from '@core/sdk';
import { testUsdcAbi } from '@core/vault';
import { createPublicClient, encodeFunctionData, erc20Abi, http, isAddress } from 'viem';
import { type Answer, tableOf } from '../answer.ts';
import type { Context } from '../context.ts';
import { usdcText, usdcUnitsOfText } from '../usdc.ts';
import { walletOf } from '../wallet.ts';

/** List the accounts of the stack with their USDC balances. */
export async function accounts({ stack }: Context): Promise<Answer> {
  const { accounts: all, rpcUrl, contracts } = stack();
  const reader = createPublicClient({ transport: http(rpcUrl) });
  const balances = await Promise.all(
    all.map(({ address }) =>
      reader.readContract({ address: contracts.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
    ),
  );
  const value = all.map(({ name, address }, index) => ({ name, address, usdc_units: String(balances[index]) }));
  const rows = value.map(({ name, address, usdc_units: units }) => [name, address, usdcText(BigInt(units))]);
  return { value, text: tableOf(['ACCOUNT', 'ADDRESS', 'USDC'], rows) };
}

/** Mint test USDC for an account or an address. Minting is open to anyone on the local chain. */
export async function fund({ stack, account, option }: Context, [recipient = '']: readonly string[]): Promise<Answer> {
  const { chainId, contracts } = stack();
  const to = isAddress(recipient) ? recipient : account(recipient).address;
  const units = usdcUnitsOfText('--usd', option('usd') ?? '1000');
  if (units === 0n) throw new FriendlyError('--usd: expected an amount above zero');
  const wallet = walletOf(stack(), account('alice').privateKey);
  const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [to, units] });
  const hash = await sendCall(wallet, { to: contracts.usdc, data, chainId });
  const value = { address: to, usdc_units: String(units), transaction_hash: hash };
  return { value, text: `${usdcText(units)} USDC for ${to}` };
}
