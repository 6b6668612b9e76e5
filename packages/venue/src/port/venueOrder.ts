import type { Hex } from '@core/position';
import type { VenueOrder } from '@core/vault';

/** The exchange's order struct with its maker's signature; an operator that was pre-approved takes `0x`. */
export interface SignedVenueOrder extends VenueOrder {
  readonly signature: Hex;
}

/** GTC and GTD rest, FOK fills whole or dies, FAK fills what it can and dies. */
export type VenueOrderType = 'GTC' | 'GTD' | 'FOK' | 'FAK';
