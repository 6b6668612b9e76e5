import type { ExitReport, KeeperReport } from '@core/runtime';
import type { Address } from 'viem';
import type { PriceSigners } from '../signers/priceSigners.ts';
import type { VenueBreaker } from '../transactions/venueBreaker.ts';

export interface KeeperStateOptions {
  readonly address: Address;
  readonly breaker: Pick<VenueBreaker, 'isOpen'>;
  readonly signers: Pick<PriceSigners, 'all' | 'isQuorate' | 'requiredCount'>;
  readonly debts: { readonly unseenTickers: readonly string[] };
  readonly exitTimes: { readonly reports: readonly ExitReport[] };
}

/** What this keeper can do now, as its heartbeat says it: quotes are given only while debts can be kept. */
export class KeeperState {
  readonly #options: KeeperStateOptions;
  #lookedAtMs: number | null = null;

  constructor(options: KeeperStateOptions) {
    this.#options = options;
  }

  /** Every debt that is owed was taken into the watch just now. */
  looked(): void {
    this.#lookedAtMs = performance.now();
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
      debtWatchAgeMs: this.#lookedAtMs === null ? null : performance.now() - this.#lookedAtMs,
      unseenTickers: [...debts.unseenTickers],
      exits: [...exitTimes.reports],
    };
  }
}
