import { address, FriendlyError } from '@core/runtime';
import { liquidityPoolAbi, vaultAbi } from '@core/vault';
import { type Address, encodeFunctionData, erc20Abi, parseUnits } from 'viem';
import type { Call, Operated, Operations } from './command.ts';
import { type OperatedCall, type OperatedVault, sendCall } from './vault/sendCall.ts';

interface PoolAmounts {
  readonly assetsUsdcUnits: bigint;
  readonly reserveUsdcUnits: bigint;
}

interface PoolState extends PoolAmounts {
  readonly pool: Address;
  readonly usdc: Address;
}

/**
 * Raise assets and reserve of the pool to the given amounts with USDC of the key. A second run deposits nothing.
 * Without a key the calls are printed for the wallet of the provider in `--owner`.
 * @throws FriendlyError without an amount or owner, for insufficient USDC, and when the pool reverts.
 */
export async function fillPool({ vault }: Operations, { option }: Call): Promise<Operated> {
  const target: PoolAmounts = {
    assetsUsdcUnits: usdcUnitsIn('assets', option('assets')),
    reserveUsdcUnits: usdcUnitsIn('reserve', option('reserve')),
  };
  if (target.assetsUsdcUnits + target.reserveUsdcUnits === 0n) {
    throw new FriendlyError('set the target amounts of the pool: --assets, --reserve or both');
  }
  const context = await vault();
  const owner = ownerOf(context, option('owner'));
  const state = await readPool(context);
  const missing: PoolAmounts = {
    assetsUsdcUnits: missingOf(target.assetsUsdcUnits, state.assetsUsdcUnits),
    reserveUsdcUnits: missingOf(target.reserveUsdcUnits, state.reserveUsdcUnits),
  };
  await checkBalance(context, state, missing);
  const calls: object[] = [];
  for (const call of callsOf(state, missing, owner)) calls.push(await sendCall(context, call));
  const { pool, assetsUsdcUnits, reserveUsdcUnits } = await readPool(context);
  const amounts = { assets_usdc_units: String(assetsUsdcUnits), reserve_usdc_units: String(reserveUsdcUnits) };
  return { value: { pool, ...amounts, calls } };
}

/** Parse an amount of USDC and return its units of 10⁻⁶. @throws FriendlyError for any other text. */
function usdcUnitsIn(name: string, text: string | undefined): bigint {
  if (text === undefined) return 0n;
  if (!/^\d{1,12}(\.\d{1,6})?$/.test(text)) throw new FriendlyError(`--${name} is an amount of USDC such as 25000`);
  return parseUnits(text, 6);
}

function ownerOf({ wallet }: OperatedVault, text: string | undefined): Address {
  const owner = text === undefined ? wallet?.account?.address : address.read(text);
  if (owner !== undefined) return owner;
  throw new FriendlyError('set the owner of the shares with --owner, or its key with OPERATOR_KEY_FILE');
}

const missingOf = (target: bigint, present: bigint): bigint => (target > present ? target - present : 0n);

async function readPool({ client, vault }: OperatedVault): Promise<PoolState> {
  const at = { address: vault, abi: vaultAbi } as const;
  const [pool, usdc] = await Promise.all([
    client.readContract({ ...at, functionName: 'pool' }),
    client.readContract({ ...at, functionName: 'usdc' }),
  ]);
  const book = await client.readContract({ address: pool, abi: liquidityPoolAbi, functionName: 'bookOf' });
  const assetsUsdcUnits = book.idleUsdcUnits + book.lentUsdcUnits + book.impairedUsdcUnits;
  return { pool, usdc, assetsUsdcUnits, reserveUsdcUnits: book.reserveUsdcUnits };
}

/** Check that the key can pay the deposits. @throws FriendlyError when its USDC do not suffice. */
async function checkBalance(
  { client, wallet }: OperatedVault,
  { usdc }: PoolState,
  { assetsUsdcUnits, reserveUsdcUnits }: PoolAmounts,
): Promise<void> {
  const holder = wallet?.account?.address;
  if (holder === undefined) return;
  const missingUsdcUnits = assetsUsdcUnits + reserveUsdcUnits;
  const balance = await client.readContract({
    address: usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [holder],
  });
  if (balance >= missingUsdcUnits) return;
  throw new FriendlyError(`${holder} has ${balance} units of USDC, and ${missingUsdcUnits} are missing in the pool`);
}

function callsOf(
  { pool, usdc }: PoolState,
  { assetsUsdcUnits, reserveUsdcUnits }: PoolAmounts,
  owner: Address,
): readonly OperatedCall[] {
  const total = assetsUsdcUnits + reserveUsdcUnits;
  const by = 'a provider';
  const abi = liquidityPoolAbi;
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [pool, total] });
  const deposit = encodeFunctionData({ abi, functionName: 'deposit', args: [assetsUsdcUnits, owner] });
  const fund = encodeFunctionData({ abi, functionName: 'fundReserve', args: [reserveUsdcUnits] });
  return [
    ...(total === 0n ? [] : [{ by, to: usdc, data: approve }]),
    ...(assetsUsdcUnits === 0n ? [] : [{ by, to: pool, data: deposit }]),
    ...(reserveUsdcUnits === 0n ? [] : [{ by, to: pool, data: fund }]),
  ];
}
