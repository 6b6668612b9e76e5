import type { PolicyConfig } from '@core/policy';
import type { Clock } from '@core/runtime';
import { SigningKey } from '@core/vault';
import {
  type CredentialTerms,
  DerivedCredentials,
  HttpReferenceFeeds,
  HttpVenueClient,
  MarketWatch,
  type UserMessage,
  UserSocket,
  type VenueClient,
} from '@core/venue';
import type { Hex } from 'viem';

/** The venue as one keeper reaches it. */
export interface VenueSettings {
  readonly venueUrl: string;
  /** `ws://…/ws/market`. */
  readonly marketSocketUrl: string;
  /** `ws://…/ws/user`; beside the market socket when absent. */
  readonly userSocketUrl?: string;
  /** Origin of spot prices and games; `venueUrl` when absent. */
  readonly referenceUrl?: string;
  /** The keeper's account name at the venue; `keeper` when absent. */
  readonly venueOwner?: string;
  /** For a venue whose private endpoints want credentials, derived from the keeper's own key. */
  readonly credentialTerms?: CredentialTerms;
  readonly privateKey: Hex;
  readonly policy?: PolicyConfig;
}

/** What the keeper holds of the venue. */
export interface KeeperVenue {
  /** Orders, trades, books and the catalogue. */
  readonly client: VenueClient;
  readonly owner: string;
  /** The keeper's own feed: neither the API's nor the signer's view of a market is believed. */
  readonly watch: MarketWatch;
  /**
   * The one listener of the user socket: called with the hash of an order of ours that came to an end. A hint to look
   * sooner and no proof: messages go missing, and the polls catch what was missed.
   */
  onOrder(listener: (orderHash: string) => void): void;
  close(): void;
}

/** The watch repeats its reads: one that takes longer is given up. */
const feedTimeoutMs = 2_000;

/** What comes before it changes nothing that the keeper decides: a match is settled or fails. */
function isEnd(message: UserMessage): boolean {
  if (message.kind === 'trade') return message.trade.status === 'CONFIRMED' || message.trade.status === 'FAILED';
  return message.order.status === 'cancelled' || message.order.status === 'unmatched';
}

/** @throws VenueFault when the venue wants credentials and gives none. */
export async function openVenue(settings: VenueSettings, clock: Clock): Promise<KeeperVenue> {
  const { venueUrl, marketSocketUrl, policy, credentialTerms: terms, venueOwner: owner = 'keeper' } = settings;
  const account = new SigningKey(settings.privateKey);
  const credentials =
    terms === undefined ? null : new DerivedCredentials({ url: venueUrl, account, terms, nowMs: () => clock.nowMs() });
  const auth = (await credentials?.credentials()) ?? { apiKey: owner };
  const reference = new HttpReferenceFeeds({ url: settings.referenceUrl ?? venueUrl, clock });
  const watch = new MarketWatch({
    client: new HttpVenueClient({ url: venueUrl, timeoutMs: feedTimeoutMs, retry: { maxAttempts: 2 } }),
    marketSocketUrl,
    clock,
    reference,
    ...(policy === undefined ? {} : { config: policy }),
  });
  let emit: (orderHash: string) => void = () => undefined;
  const orders = new UserSocket({
    url: settings.userSocketUrl ?? marketSocketUrl.replace(/\/ws\/market$/, '/ws/user'),
    auth,
    onMessage: (message) => {
      if (isEnd(message)) emit(message.kind === 'order' ? message.order.orderId : message.trade.takerOrderId);
    },
  });
  return {
    client: new HttpVenueClient({ url: venueUrl, ...(credentials === null ? {} : { credentials }) }),
    owner,
    watch,
    onOrder: (listener) => {
      emit = listener;
    },
    close: () => {
      orders.close();
      watch.close();
      reference.close();
    },
  };
}
