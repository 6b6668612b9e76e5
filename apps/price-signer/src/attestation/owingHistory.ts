import type { MarketSnapshot } from '@core/market';
import { type PositionTerms, readInParts, vaultAbi } from '@core/vault';
import type { Address, Hex, PublicClient } from 'viem';

/** Blocks of one read: few where the opening is recent. */
const rangeBlocks = 500n;
/** Entries unused for this long are removed; a later request rebuilds them. */
const retentionMs = 86_400_000;

interface Entry {
  readonly usedAtMs: number;
  readonly wasHardExitInForce: boolean;
  /** Start of the debt, as far back as the log was read; null before it was read. */
  readonly owesSinceMs: number | null;
}

/**
 * History of debts. A hard exit that was in force is remembered. The age of a debt is read from the chain: the vault
 * stores the last change of the principal, which a partial sale moves past the start of a game, and its log has the
 * opening.
 */
export class OwingHistory {
  readonly #client: PublicClient;
  readonly #vault: Address;
  readonly #entries = new Map<Hex, Entry>();

  constructor(client: PublicClient, vault: Address) {
    this.#client = client;
    this.#vault = vault;
  }

  /** Return the start of a position's debt, and true for a hard exit that was in force. */
  async of(position: PositionTerms, snapshot: MarketSnapshot) {
    const { positionKey } = position;
    const entry = this.#entries.get(positionKey);
    const startedAtMs = startOf(snapshot);
    let owesSinceMs = Math.min(position.owesSinceMs, entry?.owesSinceMs ?? position.owesSinceMs);
    const isLogRead = (entry?.owesSinceMs ?? null) !== null;
    if (!isLogRead && startedAtMs !== null && owesSinceMs >= startedAtMs) {
      owesSinceMs = await this.#openedAtMs(position, startedAtMs);
      this.#store(positionKey, { usedAtMs: snapshot.nowMs, wasHardExitInForce: false, ...entry, owesSinceMs });
    }
    return { owesSinceMs, wasHardExitInForce: entry?.wasHardExitInForce ?? false };
  }

  /** Record that the hard exit of a position is in force. */
  recordHardExit(positionKey: Hex, nowMs: number): void {
    const owesSinceMs = this.#entries.get(positionKey)?.owesSinceMs ?? null;
    this.#store(positionKey, { usedAtMs: nowMs, wasHardExitInForce: true, owesSinceMs });
  }

  #store(positionKey: Hex, entry: Entry): void {
    // Ordered by last use, the oldest first.
    this.#entries.delete(positionKey);
    this.#entries.set(positionKey, entry);
    for (const [key, { usedAtMs }] of this.#entries) {
      if (entry.usedAtMs - usedAtMs < retentionMs) return;
      this.#entries.delete(key);
    }
  }

  /**
   * Return the opening of a position in milliseconds. The log is read back to a bound; for an older position the result
   * is just before the bound.
   */
  async #openedAtMs({ positionKey, blockNumber }: PositionTerms, backToMs: number): Promise<number> {
    const query = { address: this.#vault, abi: vaultAbi, eventName: 'PositionOpened', args: { positionKey } } as const;
    for (let to = blockNumber; to >= 0n; to -= rangeBlocks) {
      const from = to >= rangeBlocks ? to - rangeBlocks + 1n : 0n;
      const [opened] = await readInParts(this.#client, { from, to }, (part) =>
        this.#client.getContractEvents({ ...query, fromBlock: part.from, toBlock: part.to }),
      );
      const { timestamp } = await this.#client.getBlock({ blockNumber: opened?.blockNumber ?? from });
      const atMs = Number(timestamp) * 1_000;
      if (opened !== undefined) return atMs;
      if (atMs < backToMs) break;
    }
    return backToMs - 1;
  }
}

/** Return the start of a market's game; null for other markets and before the start. */
function startOf({ facts: { subject }, nowMs, reference }: MarketSnapshot): number | null {
  if (subject?.kind !== 'sport') return null;
  const isInPlay = nowMs >= subject.gameStartAtMs || reference?.isLive === true;
  return isInPlay ? subject.gameStartAtMs : null;
}
