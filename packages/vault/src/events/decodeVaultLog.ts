import {
  type LeverageBps,
  leverageBps,
  type PricePips,
  pricePips,
  type RateBps,
  rateBps,
  type TokenUnits,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '@core/pricing';
import {
  type Abi,
  type Address,
  type ContractEventArgsFromTopics,
  type ContractEventName,
  decodeEventLog,
  type Hex,
} from 'viem';
import type { PositionState, Purpose } from '../generated/enums.ts';
import { poolEventTopics, vaultEventTopics } from '../generated/eventTopics.ts';
import { liquidityPoolAbi } from '../generated/liquidityPoolAbi.ts';
import { vaultAbi } from '../generated/vaultAbi.ts';

type QuantityNamed<Name extends string, Value> = Name extends `${string}UsdcUnits`
  ? UsdcUnits
  : Name extends `${string}TokenUnits`
    ? TokenUnits
    : Name extends `${string}Pips`
      ? PricePips
      : Name extends 'LeverageBps'
        ? LeverageBps
        : Name extends `${string}Bps`
          ? RateBps
          : Name extends 'Purpose'
            ? Purpose
            : Name extends 'State'
              ? PositionState
              : Value;

/** Arguments of an event with every number that has a unit in its name turned into that quantity. */
type Quantified<Arguments> = {
  readonly [Name in keyof Arguments]: Arguments[Name] extends bigint | number
    ? QuantityNamed<Capitalize<Name & string>, Arguments[Name]>
    : Arguments[Name] extends object
      ? Quantified<Arguments[Name]>
      : Arguments[Name];
};

type EventOf<Source extends string, Contract extends Abi> = {
  readonly [Name in ContractEventName<Contract>]: {
    readonly source: Source;
    readonly name: Name;
    readonly args: Quantified<ContractEventArgsFromTopics<Contract, Name>>;
  };
}[ContractEventName<Contract>];

/** An event of the vault. */
export type VaultEvent = EventOf<'vault', typeof vaultAbi>;
/** An event of the pool. */
export type PoolEvent = EventOf<'pool', typeof liquidityPoolAbi>;

/** An event of vault or pool: folding all of them from the deployment on rebuilds the whole ledger. */
export type LedgerEvent = VaultEvent | PoolEvent;

/** The part of a chain log that decoding needs. */
export interface EventLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/**
 * Decodes a log of the vault or the pool into a ledger event with quantities in place of bare numbers; null for a log
 * of another contract and for an event that their ABIs do not name.
 *
 * @throws the decoder's error when a log carries a known event's topic but other data: that is not our contract.
 */
export function decodeVaultLog(
  log: EventLog,
  contracts: { readonly vault: Address; readonly pool: Address },
): LedgerEvent | null {
  if (isSameAddress(log.address, contracts.vault)) {
    return vaultTopics.has(log.topics[0] ?? '0x') ? (decoded('vault', vaultAbi, log) as VaultEvent) : null;
  }
  if (isSameAddress(log.address, contracts.pool)) {
    return poolTopics.has(log.topics[0] ?? '0x') ? (decoded('pool', liquidityPoolAbi, log) as PoolEvent) : null;
  }
  return null;
}

/** The first topics of everything that vault and pool emit. */
const vaultTopics = topicsOf(vaultEventTopics);
const poolTopics = topicsOf(poolEventTopics);

function topicsOf(topics: Readonly<Record<string, Hex>>): ReadonlySet<Hex> {
  return new Set(Object.values(topics));
}

function decoded(source: string, abi: Abi, log: EventLog): unknown {
  const { eventName, args } = decodeEventLog({
    abi,
    topics: [...log.topics] as [Hex, ...Hex[]],
    data: log.data,
    strict: true,
  });
  return { source, name: eventName, args: quantified(args ?? {}) };
}

/** Small integers arrive as numbers; those whose name says a unit become quantities, at run time bigints. */
function quantified(value: object): object {
  return Object.fromEntries(
    Object.entries(value).map(([name, part]: [string, unknown]) => {
      if (typeof part === 'bigint' || typeof part === 'number') return [name, quantityNamed(name, part)];
      if (typeof part === 'object' && part !== null) return [name, quantified(part)];
      return [name, part];
    }),
  );
}

function quantityNamed(name: string, value: bigint | number): unknown {
  const unit = unitSuffixes.find(([suffix]) => `_${name}`.toLowerCase().endsWith(suffix));
  return unit === undefined ? value : unit[1](BigInt(value));
}

const unitSuffixes = [
  ['usdcunits', usdcUnits],
  ['tokenunits', tokenUnits],
  ['pips', pricePips],
  ['_leveragebps', leverageBps],
  ['bps', rateBps],
] as const satisfies readonly (readonly [string, (amount: bigint) => unknown])[];

function isSameAddress(left: Address, right: Address): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
