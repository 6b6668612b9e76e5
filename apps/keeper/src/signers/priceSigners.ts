import type { AttestationSource } from '@core/vault';
import type { Address } from 'viem';

/** One price signer as this keeper knows it. */
export interface PriceSigner {
  /** Host and port: what it is called in metrics and reports. */
  readonly name: string;
  readonly source: AttestationSource;
  /** The key it signs with, as it said when it last answered; null before. */
  address: Address | null;
  /** It answered when it was last asked, and has not failed since: a breaker that the next probe closes. */
  isAnswering: boolean;
  /** The vault takes its signature; false until that was read, and when its key was removed. */
  isAppointed: boolean;
}

/** The price signers, and how many of them the vault asks for. */
export class PriceSigners {
  readonly all: readonly PriceSigner[];
  /** Signatures that an order needs: the threshold, or all while an alarm is on. Null until it was read. */
  requiredCount: number | null = null;

  constructor(sources: readonly { readonly name: string; readonly source: AttestationSource }[]) {
    this.all = sources.map((one) => ({ ...one, address: null, isAnswering: false, isAppointed: false }));
  }

  /** Those whose signature counts and can be asked for now, one for each key. */
  get able(): readonly (PriceSigner & { readonly address: Address })[] {
    const byAddress = new Map(
      this.all.flatMap((signer) => {
        const { address, isAnswering, isAppointed } = signer;
        return address !== null && isAnswering && isAppointed ? [[address, signer as AbleSigner] as const] : [];
      }),
    );
    return [...byAddress.values()];
  }

  /** True while enough of them answer for an order. */
  get isQuorate(): boolean {
    return this.requiredCount !== null && this.able.length >= this.requiredCount;
  }
}

type AbleSigner = PriceSigner & { readonly address: Address };
