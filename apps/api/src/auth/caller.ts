import type { PartnerRecord } from '@core/store';
import type { Wallet } from './walletAddress.ts';

/** Who is calling, once the credential was accepted. */
export type Caller =
  | { readonly kind: 'partner'; readonly partner: PartnerRecord }
  | { readonly kind: 'user'; readonly partner: PartnerRecord; readonly wallet: Wallet };

/** Nobody: no credential was sent, or one that is not accepted. */
export type Identity = Caller | { readonly kind: 'none' };
