/** Protocol versions of the venue's markets, as a catalogue record names them. */
export const marketVersions = ['v1', 'v2'] as const;
export type MarketVersion = (typeof marketVersions)[number];

/** Contracts on which orders of the venue are matched. Each has a signing domain and approvals of its own. */
export type VenueExchange = 'ctf_exchange' | 'neg_risk_ctf_exchange' | 'exchange_v3';

/** Contracts that hold outcome tokens. */
export type OutcomeLedger = 'conditional_tokens' | 'position_manager';

/** Everything that follows from the protocol version of a market. */
interface MarketProtocol {
  readonly ledger: OutcomeLedger;
  readonly exchange: VenueExchange;
  readonly negRiskExchange: VenueExchange;
  /** Field of the catalogue record with the ids of both outcome tokens. A record may have the other field too. */
  readonly tokenIdField: 'clobTokenIds' | 'positionIds';
  /** Bytes of a condition id. Ids are stored in 32 bytes, zero padded on the right. */
  readonly conditionIdBytes: 31 | 32;
}

/**
 * Protocol of each version. The vault trades on `ctf_exchange` alone: tokens of `position_manager` change hands by
 * grants.
 */
export const marketProtocols: Readonly<Record<MarketVersion, MarketProtocol>> = {
  v1: {
    ledger: 'conditional_tokens',
    exchange: 'ctf_exchange',
    negRiskExchange: 'neg_risk_ctf_exchange',
    tokenIdField: 'clobTokenIds',
    conditionIdBytes: 32,
  },
  v2: {
    ledger: 'position_manager',
    exchange: 'exchange_v3',
    negRiskExchange: 'exchange_v3',
    tokenIdField: 'positionIds',
    conditionIdBytes: 31,
  },
};

/** Return the exchange on which orders of a market are matched. */
export function exchangeOf(market: { readonly version: MarketVersion; readonly isNegRisk: boolean }): VenueExchange {
  const { exchange, negRiskExchange } = marketProtocols[market.version];
  return market.isNegRisk ? negRiskExchange : exchange;
}
