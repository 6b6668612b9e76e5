import { type Debt, type LiquidationTerms, rateBps, type TokenUnits, tokenUnits, usdcUnits } from '@core/pricing';
import { errorNameOf, PositionState, vaultAbi } from '@core/vault';
import { type Abi, decodeEventLog, decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { revertSentenceOf } from './revertSentences.ts';
import type { RpcRequest } from './rpc.ts';
import type { Transaction } from './wallet.ts';

// All that needs ABIs; loaded when the chain is first spoken to.

interface Call {
  readonly to: string;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
}

function transactionOf({ to, ...call }: Call): Transaction {
  return { to, data: encodeFunctionData(call), value: '0' };
}

/** Lets a spender take USDC. */
export function approval(token: string, spender: string, units: bigint): Transaction {
  return transactionOf({ to: token, abi: erc20Abi, functionName: 'approve', args: [spender, units] });
}

/** A call of the vault by its owner's verbs. */
export function vaultCall(
  vault: string,
  functionName: 'requestClose' | 'addMargin' | 'cancelPosition' | 'exitByRepaying' | 'claim',
  args: readonly unknown[],
): Transaction {
  return transactionOf({ to: vault, abi: vaultAbi, functionName, args });
}

async function read(request: RpcRequest, { to, ...call }: Call): Promise<unknown> {
  const data = String(await request('eth_call', [{ to, data: encodeFunctionData(call) }, 'latest']));
  return decodeFunctionResult({ ...call, data: data as Hex });
}

/** USDC units held by an account. */
export async function balanceOf(request: RpcRequest, token: string, account: string): Promise<bigint> {
  const args = [account];
  return BigInt(String(await read(request, { to: token, abi: erc20Abi, functionName: 'balanceOf', args })));
}

/** USDC units that a spender may take of an account. */
export async function allowanceOf(
  request: RpcRequest,
  { token, account, spender }: { readonly token: string; readonly account: string; readonly spender: string },
): Promise<bigint> {
  const args = [account, spender];
  return BigInt(String(await read(request, { to: token, abi: erc20Abi, functionName: 'allowance', args })));
}

/** What a position owes and what its liquidation price follows from, as the vault has it. */
export interface PositionDebt extends Debt, LiquidationTerms {
  readonly tokenUnits: TokenUnits;
}

/** Principal and lifetime fees owed now, with what the liquidation price follows from; null for an unknown key. */
export async function debtOf(request: RpcRequest, vault: string, positionKey: string): Promise<PositionDebt | null> {
  const call = { to: vault, abi: vaultAbi, args: [positionKey] } as const;
  const [owed, position] = await Promise.all([
    read(request, { ...call, functionName: 'debtOf' }) as Promise<readonly [bigint, bigint]>,
    read(request, { ...call, functionName: 'positionOf' }) as Promise<StoredTerms>,
  ]);
  if (position.state === PositionState.None) return null;
  return {
    principalUsdcUnits: usdcUnits(owed[0]),
    feesUsdcUnits: usdcUnits(owed[1]),
    tokenUnits: tokenUnits(position.tokenUnits),
    liquidationFeeBps: rateBps(BigInt(position.liquidationFeeBps)),
    exitBufferBps: rateBps(BigInt(position.exitBufferBps)),
  };
}

/** What `positionOf` of the vault holds of it. */
interface StoredTerms {
  readonly state: number;
  readonly tokenUnits: bigint;
  readonly liquidationFeeBps: number;
  readonly exitBufferBps: number;
}

/** True while the vault takes no new positions. */
export async function isOpeningPaused(request: RpcRequest, vault: string): Promise<boolean> {
  return (await read(request, { to: vault, abi: vaultAbi, functionName: 'openingPaused', args: [] })) === true;
}

/** The error behind revert data and what to do about it; no name for one that no contract of the service declares. */
export function revertOf(data: string | null): { readonly name: string | null; readonly sentence: string } {
  const name = data === null ? null : errorNameOf(data as Hex);
  return { name, sentence: revertSentenceOf(name) };
}

interface Receipt {
  readonly logs: readonly { readonly address: string; readonly topics: readonly Hex[]; readonly data: Hex }[];
}

/** Keys of the positions that the vault's logs in a receipt are about. */
export function positionKeysOf(receipt: unknown, vault: string): readonly string[] {
  const { logs } = receipt as Receipt;
  const keys = logs
    .filter(({ address }) => address.toLowerCase() === vault.toLowerCase())
    .flatMap(({ topics, data }) => {
      const { args } = decodeEventLog({ abi: vaultAbi, topics: [...topics] as [Hex, ...Hex[]], data, strict: false });
      return args !== undefined && 'positionKey' in args ? [String(args.positionKey)] : [];
    });
  return [...new Set(keys)];
}
