import { type Debt, type LiquidationTerms, rateBps, type TokenUnits, tokenUnits, usdcUnits } from '@core/pricing';
import { PositionState } from '@core/vault';
import { type Abi, BaseError, decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, isHex } from 'viem';
import { LevError } from '../errors/levError.ts';
import { ownerAbi, positionEventTopics } from '../generated/vaultInterface.ts';
import type { RpcRequest } from './rpc.ts';
import type { Transaction } from './wallet.ts';

// Everything that needs ABIs; loaded with the first chain access.

interface Call {
  readonly to: Hex;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
}

function transactionOf({ to, ...call }: Call): Transaction {
  return { to, data: encodeFunctionData(call), value: '0' };
}

/** Build the approval of USDC for a spender. */
export function approval(token: Hex, spender: Hex, units: bigint): Transaction {
  return transactionOf({ to: token, abi: erc20Abi, functionName: 'approve', args: [spender, units] });
}

/** Build a call of an owner's function of the vault. */
export function vaultCall(
  vault: Hex,
  functionName: 'requestClose' | 'addMargin' | 'cancelPosition' | 'exitByRepaying' | 'claim',
  args: readonly unknown[],
): Transaction {
  return transactionOf({ to: vault, abi: ownerAbi, functionName, args });
}

/** Read a function of a contract, decoded by `decode`. */
async function read<Answer>(
  request: RpcRequest,
  { to, ...call }: Call,
  decode: (data: Hex) => Answer,
): Promise<Answer> {
  const data = await request('eth_call', [{ to, data: encodeFunctionData(call) }, 'latest']);
  try {
    return decode(isHex(data) ? data : '0x');
  } catch (cause) {
    if (!(cause instanceof BaseError)) throw cause;
    const sentence = `${to} does not answer ${call.functionName} on this chain. Check that it is the chain of the vault.`;
    throw new LevError('contract_not_found', sentence, { cause });
  }
}

/** Read the USDC balance of an account, in units. */
export async function balanceOf(request: RpcRequest, token: Hex, account: string): Promise<bigint> {
  const part = { abi: erc20Abi, functionName: 'balanceOf' } as const;
  return read(request, { to: token, ...part, args: [account] }, (data) => decodeFunctionResult({ ...part, data }));
}

/** Read the USDC allowance of a spender, in units. */
export async function allowanceOf(
  request: RpcRequest,
  { token, account, spender }: { readonly token: Hex; readonly account: string; readonly spender: string },
): Promise<bigint> {
  const part = { abi: erc20Abi, functionName: 'allowance' } as const;
  const call = { to: token, ...part, args: [account, spender] };
  return read(request, call, (data) => decodeFunctionResult({ ...part, data }));
}

/** Debt of a position and the inputs of its liquidation price, as stored by the vault. */
export interface PositionDebt extends Debt, LiquidationTerms {
  readonly tokenUnits: TokenUnits;
}

/** Read the principal and lifetime fees owed now, with the inputs of the liquidation price; null for an unknown key. */
export async function debtOf(request: RpcRequest, vault: Hex, positionKey: string): Promise<PositionDebt | null> {
  const to = { to: vault, args: [positionKey] };
  const debt = { abi: ownerAbi, functionName: 'debtOf' } as const;
  const terms = { abi: ownerAbi, functionName: 'positionOf' } as const;
  const [owed, position] = await Promise.all([
    read(request, { ...to, ...debt }, (data) => decodeFunctionResult({ ...debt, data })),
    read(request, { ...to, ...terms }, (data) => decodeFunctionResult({ ...terms, data })),
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

/** Return true while the vault accepts no new positions. */
export async function isOpeningPaused(request: RpcRequest, vault: Hex): Promise<boolean> {
  const part = { abi: ownerAbi, functionName: 'openingPaused' } as const;
  return read(request, { to: vault, ...part, args: [] }, (data) => decodeFunctionResult({ ...part, data }));
}

/** Return the position keys in the vault's logs of a receipt. */
export function positionKeysOf(receipt: unknown, vault: string): readonly string[] {
  const logs: unknown = Object(receipt).logs;
  const keys = (Array.isArray(logs) ? logs : []).flatMap((log: unknown) => {
    const { address, topics }: { readonly address?: unknown; readonly topics?: unknown } = Object(log);
    const [event, key]: readonly unknown[] = Array.isArray(topics) ? topics : [];
    const isOwn = String(address).toLowerCase() === vault.toLowerCase();
    return isOwn && typeof key === 'string' && positionEventTopics.some((topic) => topic === event) ? [key] : [];
  });
  return [...new Set(keys)];
}
