import { type ExitReport, type KeeperReport, marketShares } from '@core/runtime';
import type { Address } from 'viem';
import type { MarketShares } from '../runner/marketShares.ts';
import type { PriceSigners } from '../signers/priceSigners.ts';
import type { VenueBreaker } from '../transactions/venueBreaker.ts';

export interface KeeperStateOptions {
  readonly address: Address;
  readonly breaker: Pick<VenueBreaker, 'isOpen'>;
  readonly signers: Pick<PriceSigners, 'all' | 'isQuorate' | 'requiredCount'>;
  readonly debts: { readonly unseenTickers: readonly string[] };
  readonly exitTimes: { readonly reports: readonly ExitReport[] };
  readonly shares: Pick<MarketShares, 'current'>;
}

/**
 * A share that was given away is reported for so long, with the growing age of the last look at its debts: until the
 * next keeper has looked at them, that look is what there is.
 */
const reportedMs = 10_000;

/** What this keeper can do now, as its heartbeat says it: quotes are given only while debts can be kept. */
export class KeeperState {
  readonly #options: KeeperStateOptions;
  /** By share. */
  readonly #lookedAtMs = new Map<number, number>();

  constructor(options: KeeperStateOptions) {
    this.#options = options;
  }

  /** Every debt that is owed in these shares was taken into the watch just now. */
  looked(shares: readonly number[]): void {
    const nowMs = performance.now();
    for (const share of shares) this.#lookedAtMs.set(share, nowMs);
  }

  report(): KeeperReport {
    const { address, breaker, signers, debts, exitTimes } = this.#options;
    return {
      address,
      isVenueTakingOrders: !breaker.isOpen,
      isPriceSignerAnswering: signers.isQuorate,
      requiredSignatures: signers.requiredCount,
      priceSigners: signers.all.map((signer) => ({
        name: signer.name,
        address: signer.address,
        isAnswering: signer.isAnswering,
        isAppointed: signer.isAppointed,
      })),
      shares: this.#shares(),
      unseenTickers: [...debts.unseenTickers],
      exits: [...exitTimes.reports],
    };
  }
  #shares(): KeeperReport['shares'] {
    const nowMs = performance.now();
    const held = new Set(this.#options.shares.current.map(({ share }) => share));
    return marketShares.flatMap((share) => {
      const isHeld = held.has(share);
      const lookedAtMs = this.#lookedAtMs.get(share);
      const debtWatchAgeMs = lookedAtMs === undefined ? null : nowMs - lookedAtMs;
      if (!isHeld && (debtWatchAgeMs ?? reportedMs) >= reportedMs) return [];
      return [{ share, isHeld, debtWatchAgeMs }];
    });
  }
}
