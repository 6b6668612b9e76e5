import type { AttestationSource } from '@core/attestation';
import type { Address } from 'viem';

/** State of one price signer in this keeper. */
export interface PriceSigner {
  /** Host and port, its name in metrics and reports. */
  readonly name: string;
  readonly source: AttestationSource;
  /** Address of its key, by its last answer; null before. */
  address: Address | null;
  /** True after an answered probe, until a failure: a breaker that the next probe closes. */
  isAnswering: boolean;
  /** True when the vault accepts its signature; false before that is read, and after its key is removed. */
  isAppointed: boolean;
}

/** Price signers, and the number of signatures that the vault requires. */
export class PriceSigners {
  readonly all: readonly PriceSigner[];
  /** Required signatures of an order: the threshold, or all but one in an alarm, if more. Null before it is read. */
  requiredCount: number | null = null;

  constructor(sources: readonly { readonly name: string; readonly source: AttestationSource }[]) {
    this.all = sources.map((one) => ({ ...one, address: null, isAnswering: false, isAppointed: false }));
  }

  /** Signers whose signature counts and that can be asked now, one for each key. */
  get able(): readonly AbleSigner[] {
    const byAddress = new Map(this.all.filter(isAble).map((signer) => [signer.address, signer] as const));
    return [...byAddress.values()];
  }

  /** True while enough of them can be asked for an order. */
  get isQuorate(): boolean {
    return this.requiredCount !== null && this.able.length >= this.requiredCount;
  }
}

type AbleSigner = PriceSigner & { readonly address: Address };

const isAble = (signer: PriceSigner): signer is AbleSigner =>
  signer.address !== null && signer.isAnswering && signer.isAppointed;
