import type { RouteDefinition } from '../routes/route.ts';
import type { RouteName } from '../routes.ts';

/** Introduction of the document. */
export const apiDescription = [
  'Leveraged positions on binary prediction markets: list markets, request a signed quote, submit it to a vault contract',
  'on an EVM chain, and follow the position.',
  '',
  '- **Money** is text: `*_usd_pips` (10,000 = 1.00 USD) is authoritative, `*_usd` is for display, `*_usdc_units`',
  '  (1,000,000 = 1.00 USD) is the unit of the contract. `*_bps` are numbers (10,000 = 1x or 100 %).',
  '- **Errors** are `{ error: { type, code, message, … } }`. Dispatch on `code`; every code has a page under `/errors`.',
  '- **Retries**: every POST takes an `Idempotency-Key`; a repeat returns the first response for 24 hours.',
  '- **Limits**: every response has `X-RateLimit-*` headers; a 429 or 503 has the seconds to wait in',
  '  `Retry-After`.',
  '- **Lists** are `{ data, has_more }`; page with `limit` and `starting_after` or `ending_before`.',
].join('\n');

/** Purpose of each group of routes. */
export const tagDescriptions: Readonly<Record<RouteDefinition['tag'], string>> = {
  'Auth and reference data': 'Tokens for wallets, contract addresses, fees and limits',
  Markets: 'Markets with their eligibility, limits, fees and prices',
  Positions: 'Positions of the wallet of a token',
  Quotes: 'Drafts, signed quotes, and promotions of drafts to quotes',
  Events: 'Rehearsal of the WebSocket events',
};

/** Details of each operation beyond its summary: order, effects and limits. */
export const operationDescriptions: Readonly<Record<RouteName, string>> = {
  createToken:
    'For a back end with its API key. The token belongs to one wallet of one partner and is valid for one hour. An `Idempotency-Key` has no effect: each call issues a new token. At most 1,800 calls per minute and partner.',
  getContractInfo: 'Static values that may be cached. Compare the signer with the one that you verify quotes against.',
  getFeeRates:
    'Rates that apply to the caller. With `ticker` the response includes the fee rate of the venue in that market, and what fills of its category cost in the last day.',
  createFeeReport:
    'Computes fees and gains like a quote, without eligibility and limits. Nothing is reserved or signed.',
  getPartnerLimits: 'Usage is the notional at origination of all open positions of the partner.',
  getUserLimits: 'Usage is the notional at origination of all open positions of the wallet within the partner.',
  listMarkets:
    'Active markets by default, ordered by ticker. `accepting_new_positions` selects markets in which a position can be opened now.',
  searchMarkets: 'The list of markets with `query` required, for clients that still use this path.',
  getMarket:
    'Eligibility, limits, fees and, with `expand=prices`, prices of one market in any status, including final ones. With `expand=rules` also the rules of the resolution and its source; these are not part of the specification.',
  listEventMarkets: 'The list of markets, restricted to one event.',
  listSeriesMarkets: 'The list of markets, restricted to all events of one series.',
  getPriceHistory:
    'Prices of YES from the venue, up to now; NO is 1 USD minus YES. Not part of the specification. The interval of points grows with the range, from a minute to an hour. A response may be a minute old, older while the venue does not respond.',
  getOrderBook:
    'The best 20 levels of each side, as the service last received them from the venue. Not part of the specification. `updated_at` is the time of the last message or read. `trades` are those of the venue, of any trader, since the service began to follow the market.',
  getMarketStatistics:
    'Activity of the last 24 hours, from the catalogue and the price history of the venue. Not part of the specification. A response may be five minutes old.',
  listPositions: "Positions of the token's wallet within its partner, newest first. Live figures use the current mark.",
  listMarketPositions: 'The list of positions, restricted to one market.',
  listEventPositions: 'The list of positions, restricted to the markets of one event.',
  listSeriesPositions: 'The list of positions, restricted to the markets of all events of one series.',
  getPosition: "One position of the token's wallet. A position of another wallet is answered like an unknown one.",
  getPositionTransactions: 'Transactions that are final on chain; pending, failed and reverted ones are excluded.',
  listPartialCloses: 'Executed partial closes, oldest first. The cursor is the `executed_at` of an item.',
  listUnwinds: 'Executed or planned unwinds of a position, for clients that still use this path.',
  createQuote:
    'Checks eligibility, size and limits, reserves capacity, and signs the quote. Submit it to the vault before `signature_expiry`. One request per second and wallet, shared with drafts and promotions. A repeat with the same `Idempotency-Key` returns the same quote.',
  createDraftQuote:
    'Computes every figure of a quote without reserving capacity. A draft cannot open a position; promote it when the user confirms.',
  promoteDraftQuote:
    'Evaluates the request of a draft again at current prices and signs the result. All promotions of one draft open at most one position.',
  createSampleEvents:
    "Sends one event of each type, one per second, to the caller's open sockets on every process. Nothing is stored. One request per 30 seconds.",
};
