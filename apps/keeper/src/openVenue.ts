import type { PolicyConfig } from '@core/policy';
import type { Clock, EndedRequest } from '@core/runtime';
import type { Signer } from '@core/vault';
import {
  type CredentialTerms,
  DerivedCredentials,
  EndpointPauses,
  HttpVenueClient,
  MarketWatch,
  openReferenceFeeds,
  type ReferenceSource,
  RequestBudget,
  type UserMessage,
  UserSocket,
  type VenueClient,
  type VenueProfile,
} from '@core/venue';

/** Connection settings of the venue. */
export interface VenueSettings {
  /** Origin of books, orders and credentials. */
  readonly venueUrl: string;
  /** Origin of markets and events; `venueUrl` when absent. */
  readonly catalogueUrl?: string;
  /** Origin of holders; `venueUrl` when absent. */
  readonly dataUrl?: string;
  /** `ws://…/ws/market`. */
  readonly marketSocketUrl: string;
  /** `ws://…/ws/user`; beside the market socket when absent. */
  readonly userSocketUrl?: string;
  /** Source of spot prices and games; HTTP at `venueUrl` when absent. */
  readonly reference?: ReferenceSource;
  /** Rule of crypto markets whose texts state none that is known; null when absent. */
  readonly unstatedSettlement?: VenueProfile['unstatedSettlement'];
  /** The keeper's account name at the venue; `keeper` when absent. */
  readonly venueOwner?: string;
  /** List of the catalogue that is read first; the old one when absent. */
  readonly catalogueList?: VenueProfile['catalogueList'];
  /** Limits of the venue; none when absent. */
  readonly venueLimits?: VenueProfile['limits'];
  /** Terms of credentials derived from the keeper's key, for a venue with authenticated endpoints. */
  readonly credentialTerms?: CredentialTerms;
  /** Key of the keeper: its account at the venue. */
  readonly signer: Signer;
  readonly policy?: PolicyConfig;
}

/** Venue connections of the keeper. */
export interface KeeperVenue {
  /** Orders, trades, books and the catalogue. */
  readonly client: VenueClient;
  readonly owner: string;
  /** The keeper's own feed: it trusts neither the API's nor the signer's view of a market. */
  readonly watch: MarketWatch;
  /**
   * Set the listener of the user socket, called with the hash of an order of ours that ended. It is a hint to poll
   * sooner, not a proof: messages may be lost, and polls cover that.
   */
  onOrder(listener: (orderHash: string) => void): void;
  close(): void;
}

/** Time limit of the watch's reads, which it repeats. */
const feedTimeoutMs = 2_000;

/** Return true for the end of an order or trade: earlier states change no decision. */
function isEnd(message: UserMessage): boolean {
  if (message.kind === 'trade') return message.trade.status === 'CONFIRMED' || message.trade.status === 'FAILED';
  return message.order.status === 'cancelled' || message.order.status === 'unmatched';
}

/** @throws VenueFault when the venue wants credentials and gives none. */
export async function openVenue(
  settings: VenueSettings,
  { clock, onRequest }: { readonly clock: Clock; readonly onRequest: (request: EndedRequest) => void },
): Promise<KeeperVenue> {
  const { venueUrl, catalogueUrl = venueUrl, dataUrl = venueUrl, marketSocketUrl, policy } = settings;
  const { credentialTerms: terms, venueOwner: owner = 'keeper' } = settings;
  const { catalogueList = 'offset', unstatedSettlement = null } = settings;
  const origins = { url: venueUrl, catalogueUrl, dataUrl, catalogueList, parse: { unstatedSettlement } };
  // The venue throttles by address: a pause of one client applies to all of them.
  const pauses = new EndpointPauses();
  const budget = new RequestBudget(settings.venueLimits ?? []);
  const credentials =
    terms === undefined
      ? null
      : new DerivedCredentials({
          url: venueUrl,
          account: settings.signer,
          terms,
          nowMs: () => clock.nowMs(),
          pauses,
          budget,
        });
  const auth = (await credentials?.credentials()) ?? { apiKey: owner };
  const reference = openReferenceFeeds(settings.reference ?? { kind: 'http', url: venueUrl }, { clock });
  const watch = new MarketWatch({
    client: new HttpVenueClient({
      ...origins,
      timeoutMs: feedTimeoutMs,
      retry: { maxAttempts: 2 },
      pauses,
      budget,
      onEnd: onRequest,
    }),
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
    client: new HttpVenueClient({
      ...origins,
      pauses,
      budget,
      onEnd: onRequest,
      ...(credentials === null ? {} : { credentials }),
    }),
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
