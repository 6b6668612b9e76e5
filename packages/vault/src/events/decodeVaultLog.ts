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
  type AbiEvent,
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

/** Arguments of an event in which every number with a unit in its name is that quantity. */
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

/** Event of the vault. */
export type VaultEvent = EventOf<'vault', typeof vaultAbi>;
/** Event of the pool. */
export type PoolEvent = EventOf<'pool', typeof liquidityPoolAbi>;

/** Event of vault or pool; folding all of them since deployment rebuilds the whole ledger. */
export type LedgerEvent = VaultEvent | PoolEvent;

/** Fields of a chain log that decoding needs. */
export interface EventLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/**
 * Decode a log of the vault or the pool into a ledger event with quantities in place of bare numbers.
 *
 * @returns Event, or null for a log of another contract and for an event that the ABIs do not declare.
 * @throws the decoder's error when a log has the topic of a known event and other data, so it is no log of these
 * contracts.
 */
export function decodeVaultLog(
  log: EventLog,
  contracts: { readonly vault: Address; readonly pool: Address },
): LedgerEvent | null {
  const source = sources.find(({ name }) => isSameAddress(log.address, contracts[name]));
  const [topic, ...others] = log.topics;
  const declared = topic === undefined ? undefined : source?.events.get(topic);
  if (source === undefined || topic === undefined || declared === undefined) return null;
  const { eventName, args } = decodeEventLog({
    abi: [declared],
    topics: [topic, ...others],
    data: log.data,
    strict: true,
  });
  // The topic determines the event, and `strict` checks the data.
  const event: unknown = { source: source.name, name: eventName, args: quantified(args ?? {}) };
  return event as LedgerEvent;
}

/** Contract of the ledger, with its events by their first topic: the decoder hashes each event that it is given. */
interface EventSource {
  readonly name: LedgerEvent['source'];
  readonly events: ReadonlyMap<Hex, AbiEvent>;
}

const sources: readonly EventSource[] = [
  { name: 'vault', events: eventsIn(vaultAbi, vaultEventTopics) },
  { name: 'pool', events: eventsIn(liquidityPoolAbi, poolEventTopics) },
];

function eventsIn(abi: Abi, topics: Readonly<Record<string, Hex>>): ReadonlyMap<Hex, AbiEvent> {
  const events = abi.filter((item) => item.type === 'event');
  return new Map(
    events.flatMap((item): readonly (readonly [Hex, AbiEvent])[] => {
      const topic = topics[item.name];
      return topic === undefined ? [] : [[topic, item]];
    }),
  );
}

/** Convert numbers with a unit in their name to quantities. The decoder returns small integers as numbers. */
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
