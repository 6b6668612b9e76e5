import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Address, type Hex, isAddress, isHash } from 'viem';
import { type ExpectedDeployment, parseDeploymentParameters } from '../deploymentParameters.ts';
import { ignitionContractOf } from '../ignitionDeployment.ts';
import type { ReadBack } from './readDeployment.ts';

export const readBackUsage =
  'read-deployment --rpc <url> --parameters <file> [--created-with <file>] (--deployment <folder> | --vault <address> --tx <hash> [--timelock <address> --timelock-tx <hash>] [--pair-filler <address>]) [--block-range <blocks>]';

const options = {
  rpc: { type: 'string' },
  parameters: { type: 'string' },
  'created-with': { type: 'string' },
  deployment: { type: 'string' },
  vault: { type: 'string' },
  tx: { type: 'string' },
  timelock: { type: 'string' },
  'timelock-tx': { type: 'string' },
  'pair-filler': { type: 'string' },
  'block-range': { type: 'string' },
} as const;

type Values = Readonly<Partial<Record<keyof typeof options, string>>>;

/** Node to read from, and every other argument of a read-back. */
export interface ReadBackRequest extends Omit<ReadBack, 'client'> {
  readonly rpcUrl: string;
}

/**
 * Reads the arguments of the command and the files they name.
 *
 * @throws Error saying which argument to give, or what is wrong with one.
 */
export function readBackRequestOf(args: readonly string[]): ReadBackRequest {
  const values: Values = parseArgs({ args: [...args], options }).values;
  const expected = parametersOf(required(values, 'parameters'));
  const createdWith = values['created-with'] === undefined ? expected : parametersOf(values['created-with']);
  const isGoverned = expected.timelock !== null;
  if (isGoverned !== (createdWith.timelock !== null))
    throw new Error('only one of both parameters files has a timelock');
  if (!isGoverned && (values.timelock ?? values['timelock-tx']) !== undefined) {
    throw new Error('the parameters describe no timelock, so none would be compared');
  }
  const vault = contractOf(values, { name: 'Vault', address: 'vault', hash: 'tx' });
  const timelock = isGoverned
    ? contractOf(values, { name: 'TimelockController', address: 'timelock', hash: 'timelock-tx' })
    : null;
  const pairFiller = pairFillerOf(values);
  return {
    rpcUrl: required(values, 'rpc'),
    addresses: {
      vault: vault.address,
      ...(timelock === null ? {} : { timelock: timelock.address }),
      ...(pairFiller === null ? {} : { pairFiller }),
    },
    creation: { vault: vault.hash, ...(timelock === null ? {} : { timelock: timelock.hash }) },
    expected,
    createdWith,
    ...(values['block-range'] === undefined ? {} : { blockRange: blockRangeOf(values['block-range']) }),
  };
}

function parametersOf(path: string): ExpectedDeployment {
  return parseDeploymentParameters(JSON.parse(readFileSync(path, 'utf8')));
}

/** A contract of the deployment's folder, or one whose address is given. A hash that is given goes before the journal's. */
function contractOf(
  values: Values,
  options: { readonly name: string; readonly address: 'vault' | 'timelock'; readonly hash: 'tx' | 'timelock-tx' },
): { readonly address: Address; readonly hash: Hex } {
  const { deployment: folder } = values;
  if (folder !== undefined && values[options.address] !== undefined) {
    throw new Error(`give either --deployment or --${options.address}`);
  }
  const recorded = folder === undefined ? null : ignitionContractOf(folder, options.name);
  const address = recorded?.address ?? values[options.address];
  if (address === undefined) {
    throw new Error(folder === undefined ? `--${options.address} is missing` : `${folder} has no ${options.name}`);
  }
  if (!isAddress(address)) throw new Error(`${address} is no address`);
  const hash = values[options.hash] ?? recorded?.hash;
  if (hash === undefined) {
    throw new Error(
      `which transaction created the ${options.address} ${address}? Pass its hash with --${options.hash}`,
    );
  }
  if (!isHash(hash)) throw new Error(`${hash} is no hash of a transaction`);
  return { address, hash };
}

/** Return the filler with pairs of the deployment's folder or of the arguments; null where neither names one. */
function pairFillerOf({ deployment, 'pair-filler': given }: Values): Address | null {
  const address =
    given ?? (deployment === undefined ? undefined : ignitionContractOf(deployment, 'PairFiller')?.address);
  if (address === undefined) return null;
  if (!isAddress(address)) throw new Error(`${address} is no address`);
  return address;
}

function blockRangeOf(text: string): bigint {
  if (!/^[1-9][0-9]*$/.test(text)) throw new Error(`--block-range is ${text}, not a whole number from 1`);
  return BigInt(text);
}

function required(values: Values, name: keyof Values): string {
  const value = values[name];
  if (value === undefined) throw new Error(`--${name} is missing`);
  return value;
}
