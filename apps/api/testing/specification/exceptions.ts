import { openingFailureReasons } from '@core/position';

/** Words in backticks that name nothing of the interface, with what they are. */
export const wordsOfTheText: Readonly<Record<string, readonly string[]>> = {
  'types and rules of fields': [
    'string',
    'integer',
    'boolean',
    'required',
    'or',
    'true',
    'false',
    'EVM',
    'address',
    'Solana',
    'public',
    'key',
  ],
  'prefixes of IDs': ['mkt_', 'pos_', 'off_', 'dro_'],
  'forms of credentials': [
    'Api-Key',
    'API_KEY',
    'Bearer',
    'ACCESS_TOKEN',
    'env_prefix',
    '_skey_',
    'random',
    'live_skey_',
    'sbx_skey_',
    'partner_id',
  ],
  'words of the contract': ['createPosition', 'venueFeeUsdcUnits'],
  'a sample that spells `lifetime_fee_apr_bps` otherwise': ['lifetime_apr_bps'],
  'a value of free text': ['force_disabled'],
};

/** Names of the interface that the specification does not have, with the reason they are there. */
export const houseNames: Readonly<Record<string, readonly string[]>> = {
  'errors say more': ['param', 'doc_url', 'request_id', 'Request-Id', 'Idempotency-Key'],
  'codes where the specification has none': ['invalid_request', 'not_found', 'idempotency_key_reused'],
  'frames of the sockets: shapes not shown': ['frame', 'seq'],
  'what a draft leaves empty': ['', '0'],
  '`expand=transaction`': ['transaction', 'to', 'value', 'chain_id', 'approvals', 'spender', 'units'],
  '`expand=basis`': ['basis', 'venue_fee_usdc_units', 'exit_buffer_bps'],
  '`pending_operation`: shape not shown': ['requested_at', 'token_units', 'partial_close', 'unwind'],
  'bounds of a partial close': ['min_partial_close_token_units', 'max_partial_close_token_units'],
  'settlement states: values not shown': ['awaiting_resolution', 'voided', 'unresolved_upstream'],
  'partial closes: field names not shown': [
    'sold_token_units',
    'average_sale_price_usd_pips',
    'average_sale_price_usd',
    'sale_proceeds_usd_pips',
    'sale_proceeds_usd',
    'capital_repaid_usd_pips',
    'capital_repaid_usd',
    'user_payout_usd_pips',
    'user_payout_usd',
    'remaining_position_token_units',
    'new_leverage_bps',
  ],
  'rungs of the planned ladder: fields not shown': [
    'rung',
    'trigger',
    'kind',
    'price',
    'time',
    'at',
    'target_leverage_bps',
    'triggered_at',
    'executed_unwind_id',
  ],
  '`failure.reason`: values not shown': openingFailureReasons,
  'path parameters of single resources': ['event_ticker', 'position_id', 'draft_offer_id'],
  'POST /sample-events: answer not shown': ['event_count', 'interval_ms'],
};

/** A test: its file, and a part of its title. */
export type NamedTest = readonly [file: string, title: string];

/** The test that holds each row of the table of limits. */
export const limitTests: Readonly<Record<string, NamedTest>> = {
  'Throttle, API key': ['apps/api/test/manyProcesses.test.ts', '120 of 200 requests of one partner pass'],
  'Throttle, JWT': ['apps/api/test/manyProcesses.test.ts', '60 of 200 of one wallet'],
  'Throttle, unauthenticated': ['apps/api/test/manyProcesses.test.ts', '30 of 200 strangers pass'],
  'Token generation throttle': ['apps/api/src/http/throttle.test.ts', 'tokens their own 1800'],
  'Sample events throttle': ['packages/wire/src/routes/throttles.test.ts', 'the limits are those of the specification'],
  'Quote creation': ['apps/api/src/http/throttle.test.ts', 'one quote per second for quotes, drafts, promotions'],
  'Rate-limit headers on every response': [
    'apps/api/test/accessMatrix.test.ts',
    'every answer carries request id, rate headers',
  ],
  'Page size': ['packages/wire/src/requests/requests.test.ts', 'markets: documented defaults'],
  'JWT lifetime': ['apps/api/src/auth/userTokens.test.ts', 'one hour'],
  'Active API keys': ['packages/store/src/partner/partners.test.ts', 'at most two are active'],
  'Quote lifetime': ['apps/api/src/quotes/quotes.test.ts', 'its window starts at the whole second'],
  Leverage: ['packages/wire/src/requests/requests.test.ts', 'the step is named with its rule'],
  Slippage: ['packages/wire/src/requests/requests.test.ts', 'refuses %o'],
  '`min_fill_bps`': ['apps/api/src/quotes/quotes.test.ts', 'is refused with %s'],
  'Collateral floor': ['apps/api/src/quotes/quotes.test.ts', 'the collateral floor names the highest leverage'],
  'Revision leverage floor': ['packages/policy/src/quote/decideQuote.test.ts', 'LIQUIDITY_INSUFFICIENT'],
  'Partner limit': ['apps/api/test/failures.test.ts', '%o refuses with %s'],
  'User limit': ['apps/api/test/failures.test.ts', '%o refuses with %s'],
  'Borrowed-capital caps': ['apps/api/test/failures.test.ts', '%o refuses with %s'],
};
