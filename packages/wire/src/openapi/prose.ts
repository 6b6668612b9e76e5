import type { RouteDefinition } from '../routes/route.ts';

/** What a reader of the document should know before the first route. */
export const apiDescription = [
  'Leveraged positions on binary prediction markets: list markets, ask for a signed quote, submit it to a vault contract',
  'on an EVM chain, and follow the position.',
  '',
  '- **Money** is text: `*_usd_pips` (10,000 = 1.00 USD) is authoritative, `*_usd` is for display, `*_usdc_units`',
  '  (1,000,000 = 1.00 USD) goes to the contract. `*_bps` are numbers (10,000 = 1x or 100 %).',
  '- **Errors** are `{ error: { type, code, message, … } }`. Dispatch on `code`; every code has a page under `/errors`.',
  '- **Retries**: every POST takes an `Idempotency-Key`; a repeat replays the first answer for 24 hours.',
  '- **Limits**: every answer carries `X-RateLimit-*`; a 429 says in `Retry-After` how many seconds to wait,',
  '  and so does a 503.',
  '- **Lists** are `{ data, has_more }`; page with `limit` and `starting_after` or `ending_before`.',
].join('\n');

/** What each group of routes is for. */
export const tagDescriptions: Readonly<Record<RouteDefinition['tag'], string>> = {
  'Auth and reference data': 'Tokens for wallets, contract addresses, fees and limits',
  Markets: 'Markets with their eligibility, limits, fees and prices',
  Positions: 'Positions of the wallet a token stands for',
  Quotes: 'Drafts, signed quotes, and promotions of one to the other',
  Events: 'Rehearsal of the events that the sockets carry',
};
