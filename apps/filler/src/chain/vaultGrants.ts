import {
  type Grant,
  minimumFirstFillOf,
  type PricePips,
  pricePips,
  rateBps,
  tokenUnits,
  usdcUnits,
} from '@core/pricing';
import { BlockPace, type TimedBlock } from '@core/runtime';
import { Purpose, purposeNames, readInParts, vaultAbi, vaultConstants } from '@core/vault';
import type { Address, ContractFunctionReturnType, Hex, PublicClient } from 'viem';
import { chainFault } from './transactionSender.ts';

/** Head of the chain: its last block, and the Unix second of the block that would include a transaction sent now. */
export interface Head extends TimedBlock {
  readonly nextSeconds: number;
}

/** Grant that may be filled now, as the last block has it. */
export interface LiveGrant {
  readonly positionKey: Hex;
  readonly purpose: (typeof purposeNames)[number];
  readonly conditionId: Hex;
  readonly tokenId: bigint;
  readonly grant: Grant;
  readonly markPricePips: PricePips;
  /** Unix seconds of its first block, and of the last one in which a fill is accepted. */
  readonly startsAtSeconds: number;
  readonly endsAtSeconds: number;
}

/** Return the seconds from the start of a grant to the block that would include a fill sent now. */
export const secondOf = ({ startsAtSeconds }: LiveGrant, { nextSeconds }: Head): number =>
  Math.max(0, nextSeconds - startsAtSeconds);

/** Key of one grant of a position: a position has one after the other. */
export const grantIdOf = ({ positionKey, startsAtSeconds }: LiveGrant): string => `${positionKey}:${startsAtSeconds}`;

type Read<Name extends 'grantOf' | 'positionOf'> = ContractFunctionReturnType<typeof vaultAbi, 'view', Name>;
type WireGrant = Read<'grantOf'>;

/** Facts of a position that do not change during a grant. */
type GrantPosition = Pick<
  Read<'positionOf'>,
  'notionalUsdcUnits' | 'filledUsdcUnits' | 'minFillBps' | 'minPositionTokenUnits' | 'tokenUnits'
> &
  Pick<LiveGrant, 'startsAtSeconds' | 'conditionId' | 'tokenId'>;

/** Longest life of a grant from its authorisation, with its first second. */
const lifeSeconds = vaultConstants.maxGrantTimeSeconds + 1;
/** More units than any grant trades: the vault clips them to what is left. */
const everyUnit = 2n ** 48n - 1n;
/** Blocks before the start that are read: longer than a grant lives. */
const backlogBlocks = 60n;

/** Grants of a vault, found by their events and read from its state. */
export class VaultGrants {
  readonly #client: PublicClient;
  readonly #vault: Address;
  /** Positions that may have a live grant, with the chain time at which it was discovered. */
  readonly #keys = new Map<Hex, number>();
  readonly #positions = new Map<Hex, GrantPosition>();
  #readThrough: bigint | null = null;
  #last: TimedBlock | null = null;
  /** Grants of one block, all of which could be read: they change with the next block at the earliest. */
  #lastLive: { readonly block: TimedBlock; readonly grants: readonly LiveGrant[] } | null = null;
  readonly #pace = new BlockPace();

  constructor(client: PublicClient, vault: Address) {
    this.#client = client;
    this.#vault = vault;
  }

  /**
   * Return the last block. It is read once until the next one can be there.
   * @throws Fault retryable when the chain does not answer.
   */
  async head(): Promise<Head> {
    const last = this.#last;
    const nowMs = performance.now();
    if (last !== null && this.#pace.dueInMs(nowMs) > 0) return this.#headOf(last, nowMs);
    const block = await this.#client.getBlock({ blockTag: 'latest' }).catch((cause: unknown) => {
      throw chainFault('the last block cannot be read', cause);
    });
    this.#last = { blockNumber: block.number, timeSeconds: Number(block.timestamp) };
    const atMs = performance.now();
    this.#pace.observe(this.#last, atMs);
    return this.#headOf(this.#last, atMs);
  }

  #headOf(last: TimedBlock, atMs: number): Head {
    return { ...last, nextSeconds: this.#pace.nextSeconds(atMs) ?? last.timeSeconds };
  }

  /**
   * Return every live grant that can be read, the one that ends first at the front. Those of a block are read once
   * until the next one can be there.
   * @throws Fault retryable when the chain does not answer: several grants are live, and none can be read.
   */
  async live({ blockNumber, timeSeconds }: Head): Promise<readonly LiveGrant[]> {
    const before = this.#lastLive;
    const isSame = before?.block.blockNumber === blockNumber && before.block.timeSeconds === timeSeconds;
    if (isSame && this.#pace.dueInMs(performance.now()) > 0) return before.grants;
    await this.#discover(blockNumber, timeSeconds).catch((cause: unknown) => {
      throw chainFault('grants cannot be read', cause);
    });
    this.#forgetOld(timeSeconds);
    const results = await Promise.allSettled([...this.#keys.keys()].map((key) => this.#read(key, timeSeconds)));
    const failures = results.filter((result) => result.status === 'rejected');
    if (failures.length > 1 && failures.length === results.length) {
      throw chainFault('grants cannot be read', failures[0]?.reason);
    }
    const grants = results
      .flatMap((result) => (result.status === 'fulfilled' && result.value !== null ? [result.value] : []))
      .toSorted((left, right) => left.endsAtSeconds - right.endsAtSeconds);
    this.#lastLive = failures.length === 0 ? { block: { blockNumber, timeSeconds }, grants } : null;
    return grants;
  }

  /** Return the grant with this id as it is now; null when it is over. */
  async again(before: LiveGrant, { timeSeconds }: Head): Promise<LiveGrant | null> {
    const grant = await this.#read(before.positionKey, timeSeconds).catch((cause: unknown) => {
      throw chainFault('a grant cannot be read', cause);
    });
    return grant !== null && grantIdOf(grant) === grantIdOf(before) ? grant : null;
  }

  /** Return true while the vault takes a fill of all that is left: the outcome is open, and a liquidation due. */
  async isFillable(positionKey: Hex): Promise<boolean> {
    const args = [positionKey, everyUnit] as const;
    const [giveUnits] = await this.#client
      .readContract({ address: this.#vault, abi: vaultAbi, functionName: 'quoteFill', args })
      .catch((cause: unknown) => {
        throw chainFault('a fill cannot be quoted', cause);
      });
    return giveUnits > 0n;
  }

  /** Follow no grant for longer than one lives: one that cannot be read does not show its end. */
  #forgetOld(timeSeconds: number): void {
    for (const [positionKey, discoveredAt] of this.#keys) {
      if (timeSeconds - discoveredAt > lifeSeconds) this.#keys.delete(positionKey);
    }
  }

  async #discover(headBlock: bigint, timeSeconds: number): Promise<void> {
    const from = this.#readThrough === null ? headBlock - backlogBlocks : this.#readThrough + 1n;
    if (from > headBlock) return;
    const range = { from: from < 0n ? 0n : from, to: headBlock };
    const events = await readInParts(this.#client, range, ({ from: fromBlock, to: toBlock }) =>
      this.#client.getContractEvents({
        address: this.#vault,
        abi: vaultAbi,
        eventName: 'GrantAuthorized',
        fromBlock,
        toBlock,
        strict: true,
      }),
    );
    for (const { args } of events) {
      // In the order of their grants, also where a position had one before.
      this.#keys.delete(args.positionKey);
      this.#keys.set(args.positionKey, timeSeconds);
    }
    this.#readThrough = headBlock;
  }

  /** Read a position's grant; null, and no longer followed, once it is over. */
  async #read(positionKey: Hex, timeSeconds: number): Promise<LiveGrant | null> {
    const args = [positionKey] as const;
    const at = { address: this.#vault, abi: vaultAbi } as const;
    const live = await this.#client.readContract({ ...at, functionName: 'grantOf', args });
    if (live.purpose === Purpose.None || live.endsAt < timeSeconds) {
      this.#keys.delete(positionKey);
      this.#positions.delete(positionKey);
      return null;
    }
    const position = await this.#positionOf(positionKey, live.startsAt);
    return {
      positionKey,
      purpose: purposeNames[live.purpose] ?? 'none',
      conditionId: position.conditionId,
      tokenId: position.tokenId,
      grant: grantOf(live, position),
      markPricePips: pricePips(BigInt(live.markPips)),
      startsAtSeconds: live.startsAt,
      endsAtSeconds: live.endsAt,
    };
  }

  /** Return the position of a grant, read once for it: only its grant changes while one is outstanding. */
  async #positionOf(positionKey: Hex, startsAtSeconds: number): Promise<GrantPosition> {
    const last = this.#positions.get(positionKey);
    if (last?.startsAtSeconds === startsAtSeconds) return last;
    const at = { address: this.#vault, abi: vaultAbi } as const;
    const read = await this.#client.readContract({ ...at, functionName: 'positionOf', args: [positionKey] });
    const outcome = await this.#client.readContract({ ...at, functionName: 'outcomeOf', args: [read.outcomeId] });
    const position = { ...read, startsAtSeconds, conditionId: outcome.conditionId, tokenId: outcome.tokenId };
    this.#positions.set(positionKey, position);
    return position;
  }
}

/** Return a grant as the package prices it. */
function grantOf(live: WireGrant, position: GrantPosition): Grant {
  const path = {
    startPricePips: pricePips(BigInt(live.startPips)),
    limitPricePips: pricePips(BigInt(live.limitPips)),
    venueFeeBps: rateBps(BigInt(live.venueFeeBps)),
    validForSeconds: live.validFor,
  };
  if (live.purpose !== Purpose.Open) {
    return {
      ...path,
      side: 'sale',
      maximumTokenUnits: tokenUnits(live.mostUnits),
      filledTokenUnits: tokenUnits(live.filledUnits),
      heldTokenUnits: tokenUnits(position.tokenUnits),
    };
  }
  const notional = usdcUnits(position.notionalUsdcUnits);
  const isFirst = position.filledUsdcUnits + live.filledUnits === 0n;
  return {
    ...path,
    side: 'purchase',
    maximumUsdcUnits: usdcUnits(live.mostUnits),
    filledUsdcUnits: usdcUnits(live.filledUnits),
    minimumFirstUsdcUnits: isFirst ? minimumFirstFillOf(notional, rateBps(BigInt(position.minFillBps))) : null,
    notionalUsdcUnits: notional,
    minimumTokenUnits: tokenUnits(position.minPositionTokenUnits),
  };
}
