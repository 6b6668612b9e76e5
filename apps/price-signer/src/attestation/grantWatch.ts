import { type MarketSnapshot, sideOf } from '@core/market';
import { type PolicyConfig, saleMarkOf } from '@core/policy';
import { type PricePips, pricePips, raw } from '@core/pricing';
import { type PositionTerms, vaultAbi, vaultConstants } from '@core/vault';
import type { Logger } from 'pino';
import type { Address, Hex, PublicClient } from 'viem';

/** Price path of a live grant. */
export interface GrantPrices {
  readonly startPips: number;
  readonly limitPips: number;
}

/** Transactions of the signer's own key. */
export interface GrantEnder {
  /** Send `endGrant`; resolves when it was sent. */
  endGrant(positionKey: Hex): Promise<void>;
}

export interface GrantWatchOptions {
  readonly client: PublicClient;
  readonly vault: Address;
  readonly snapshotOf: (conditionId: string) => MarketSnapshot | null;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly config: PolicyConfig;
  readonly ender: GrantEnder;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

interface Watched {
  readonly conditionId: Hex;
  readonly tokenId: bigint;
  readonly untilMs: number;
  /** Mark that was found on the path of the live grant: the path does not move, so it is read at another mark only. */
  insideAt: PricePips | null;
}

/** Longest time from a signature to the last second of its grant. */
const lifeMs = (vaultConstants.grantAttestationAgeSeconds + vaultConstants.maxGrantTimeSeconds) * 1_000;

/** True when a mark is beyond the prices of a grant by more than a tick: its fill would be an option on old prices. */
export function hasMarkLeft(mark: PricePips, { startPips, limitPips }: GrantPrices, tick: PricePips): boolean {
  const [low, high] = startPips < limitPips ? [startPips, limitPips] : [limitPips, startPips];
  return raw(mark) + raw(tick) < BigInt(low) || raw(mark) > BigInt(high) + raw(tick);
}

/**
 * Watch of the grants that this signer signed. One whose mark leaves its price path by more than a tick is ended on
 * chain, which any one price signer may do at once. The caller makes the checks.
 */
export class GrantWatch {
  readonly #options: GrantWatchOptions;
  readonly #watched = new Map<Hex, Watched>();
  /** Positions whose check is in progress. */
  readonly #checking = new Set<Hex>();

  constructor(options: GrantWatchOptions) {
    this.#options = options;
  }

  /** Number of grants that may be live. */
  get size(): number {
    return this.#watched.size;
  }

  /** Record a signed grant of a position. */
  record(positionKey: Hex, { conditionId, tokenId }: Pick<PositionTerms, 'conditionId' | 'tokenId'>): void {
    this.#watched.set(positionKey, { conditionId, tokenId, untilMs: this.#options.now() + lifeMs, insideAt: null });
  }

  /**
   * Check every grant once, and end those whose mark has left. Each is checked by itself: one that fails is checked
   * again by the next call, and one whose check is still in progress delays no other.
   */
  async check(): Promise<void> {
    const idle = [...this.#watched].filter(([positionKey]) => !this.#checking.has(positionKey));
    await Promise.all(idle.map(([positionKey, watched]) => this.#checkAlone(positionKey, watched)));
  }

  async #checkAlone(positionKey: Hex, watched: Watched): Promise<void> {
    this.#checking.add(positionKey);
    try {
      await this.#checkOne(positionKey, watched);
    } catch (err) {
      this.#options.logger.warn({ err, positionKey }, 'grant not ended');
    } finally {
      this.#checking.delete(positionKey);
    }
  }

  async #checkOne(positionKey: Hex, watched: Watched): Promise<void> {
    const { client, vault, snapshotOf, now, config, ender, logger } = this.#options;
    if (watched.untilMs < now()) return this.#forget(positionKey, watched);
    const snapshot = snapshotOf(watched.conditionId);
    if (snapshot === null) return;
    const { tickPricePips, yesTokenId } = snapshot.facts;
    const side = yesTokenId === watched.tokenId.toString() ? 'yes' : 'no';
    const mark = saleMarkOf(sideOf(snapshot, side), { tickPricePips, config });
    if (mark === null || mark === watched.insideAt) return;
    const args = [positionKey] as const;
    const live = await client.readContract({ address: vault, abi: vaultAbi, functionName: 'grantOf', args });
    if (live.purpose === 0) return;
    if (!hasMarkLeft(mark, live, tickPricePips)) {
      watched.insideAt = mark;
      return;
    }
    await ender.endGrant(positionKey);
    this.#forget(positionKey, watched);
    logger.info({ positionKey, markPips: raw(mark), ...pathOf(live) }, 'grant ended: its mark left the price path');
  }

  /** Remove a grant, unless the position has another one by now. */
  #forget(positionKey: Hex, watched: Watched): void {
    if (this.#watched.get(positionKey) === watched) this.#watched.delete(positionKey);
  }
}

const pathOf = ({ startPips, limitPips }: GrantPrices) => ({
  startPips: pricePips(BigInt(startPips)),
  limitPips: pricePips(BigInt(limitPips)),
});
