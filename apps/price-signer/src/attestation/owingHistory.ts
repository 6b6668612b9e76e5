import type { MarketSnapshot } from '@core/policy';
import { type PositionTerms, vaultAbi } from '@core/vault';
import type { Address, Hex, PublicClient } from 'viem';

/** Blocks asked for at once: a range that any node answers. */
const rangeBlocks = 500n;
/** What was known of a position that was not asked for since then is found again when it is. */
const forgottenAfterMs = 86_400_000;

interface Known {
  readonly usedAtMs: number;
  readonly wasHardExitInForce: boolean;
  /** Since when it has owed, as far as was looked back; null before that was asked. */
  readonly owesSinceMs: number | null;
}

/**
 * What the signer knows of the past of a debt. That its hard exit was in force is remembered; that it is older than its
 * game is read from the chain, where it stays: the vault says when the principal last changed, which a sale of a part
 * makes later than the start, and its log when the position opened.
 */
export class OwingHistory {
  readonly #client: PublicClient;
  readonly #vault: Address;
  readonly #known = new Map<Hex, Known>();

  constructor(client: PublicClient, vault: Address) {
    this.#client = client;
    this.#vault = vault;
  }

  /** Since when a position has owed and whether its hard exit was in force, with the market it is in. */
  async of(position: PositionTerms, snapshot: MarketSnapshot) {
    const { positionKey } = position;
    const known = this.#known.get(positionKey);
    const startedAtMs = startOf(snapshot);
    let owesSinceMs = Math.min(position.owesSinceMs, known?.owesSinceMs ?? position.owesSinceMs);
    const isAsked = (known?.owesSinceMs ?? null) !== null;
    if (!isAsked && startedAtMs !== null && owesSinceMs >= startedAtMs) {
      owesSinceMs = await this.#openedAtMs(position, startedAtMs);
      this.#keep(positionKey, { usedAtMs: snapshot.nowMs, wasHardExitInForce: false, ...known, owesSinceMs });
    }
    return { owesSinceMs, wasHardExitInForce: known?.wasHardExitInForce ?? false };
  }

  /** The hard exit is in force: from now on it was. */
  noteHardExit(positionKey: Hex, nowMs: number): void {
    const owesSinceMs = this.#known.get(positionKey)?.owesSinceMs ?? null;
    this.#keep(positionKey, { usedAtMs: nowMs, wasHardExitInForce: true, owesSinceMs });
  }

  #keep(positionKey: Hex, known: Known): void {
    // Kept in the order of use, so that the oldest come first.
    this.#known.delete(positionKey);
    this.#known.set(positionKey, known);
    for (const [key, { usedAtMs }] of this.#known) {
      if (known.usedAtMs - usedAtMs < forgottenAfterMs) return;
      this.#known.delete(key);
    }
  }

  /** When a position opened, in milliseconds; looked for back to a moment: a moment before it when it is older. */
  async #openedAtMs({ positionKey, blockNumber }: PositionTerms, backToMs: number): Promise<number> {
    const query = { address: this.#vault, abi: vaultAbi, eventName: 'PositionOpened', args: { positionKey } } as const;
    for (let to = blockNumber; to >= 0n; to -= rangeBlocks) {
      const from = to >= rangeBlocks ? to - rangeBlocks + 1n : 0n;
      const [opened] = await this.#client.getContractEvents({ ...query, fromBlock: from, toBlock: to });
      const { timestamp } = await this.#client.getBlock({ blockNumber: opened?.blockNumber ?? from });
      const atMs = Number(timestamp) * 1_000;
      if (opened !== undefined) return atMs;
      if (atMs < backToMs) break;
    }
    return backToMs - 1;
  }
}

/** When the game of a market began; null for other markets and before it. */
function startOf({ facts: { subject }, nowMs, reference }: MarketSnapshot): number | null {
  if (subject?.kind !== 'sport') return null;
  const isInPlay = nowMs >= subject.gameStartAtMs || reference?.isLive === true;
  return isInPlay ? subject.gameStartAtMs : null;
}
