import {
  isManagedToken,
  OrderSide,
  SignatureType,
  type VenueDomain,
  type VenueOrder,
  venueOrderTypedData,
} from '@core/vault';
import type { Address, Hex, LocalAccount } from 'viem';

/** Exchanges that orders are signed for, by the ledger of their token. */
export interface OrderDomains {
  readonly conditional: VenueDomain;
  /** Null where no orders are placed in markets of the PositionManager. */
  readonly managed: VenueDomain | null;
}

/** Return the exchange of a token. @throws Error for a token that is not traded */
export function domainOf(tokenId: bigint, { conditional, managed }: OrderDomains): VenueDomain {
  if (!isManagedToken(tokenId)) return conditional;
  if (managed === null) throw new Error(`no exchange is named for token ${tokenId} of the PositionManager`);
  return managed;
}

/** Part of an order that fixes the asset that it spends and the one that it brings. */
export type OrderAmounts = Pick<VenueOrder, 'side' | 'tokenId' | 'makerAmount'>;

/** Account in whose name orders are placed. */
export interface OrderMaker {
  readonly address: Address;
  readonly signatureType: SignatureType;
  sign(order: VenueOrder): Promise<Hex>;
  /**
   * Provide what an order may spend, until `release` is called for it.
   * @throws Fault or VenueFault when it cannot be provided; nothing has to be released then.
   */
  fund(order: OrderAmounts): Promise<void>;
  /** Take back what an order that ended left or brought, and what no other order needs. @throws Fault */
  release(order: OrderAmounts): Promise<void>;
  /** Take back what could not be taken when its order ended. @throws Fault or VenueFault */
  takeLeft(): Promise<void>;
}

/** The filler's own account, whose money and tokens orders spend where they are. */
export class OwnAccount implements OrderMaker {
  readonly signatureType = SignatureType.Eoa;
  readonly #account: LocalAccount;
  readonly #domains: OrderDomains;

  constructor(account: LocalAccount, domains: OrderDomains) {
    this.#account = account;
    this.#domains = domains;
  }

  get address(): Address {
    return this.#account.address;
  }

  sign(order: VenueOrder): Promise<Hex> {
    return this.#account.signTypedData(venueOrderTypedData(order, domainOf(order.tokenId, this.#domains)));
  }

  async fund(): Promise<void> {}

  async release(): Promise<void> {}

  async takeLeft(): Promise<void> {}
}

/** Asset that an order spends: null for money. */
export const assetOf = ({ side, tokenId }: OrderAmounts): bigint | null => (side === OrderSide.Buy ? null : tokenId);
