import { activeStatuses, inactiveStatuses } from '@core/position';
import type { EventType } from '@core/wire';
import type { NamedTest } from './exceptions.ts';
import type { SpecifiedItem } from './specifiedItems.ts';

const life = (title: string): NamedTest => ['apps/keeper/test/life.test.ts', title];
const fold = (title: string): NamedTest => ['packages/position/src/ledger/foldPosition.test.ts', title];
const announced = (title: string): NamedTest => ['packages/store/src/position/announcePosition.test.ts', title];
const sockets = (title: string): NamedTest => ['apps/api/src/sockets/sockets.test.ts', title];
const throttle = (title: string): NamedTest => ['apps/api/src/http/throttle.test.ts', title];
const quotes = (title: string): NamedTest => ['apps/api/src/quotes/quotes.test.ts', title];
const decided = (title: string): NamedTest => ['packages/policy/src/quote/decideQuote.test.ts', title];
const requests = (title: string): NamedTest => ['packages/wire/src/requests/requests.test.ts', title];
const marketList = (title: string): NamedTest => ['apps/api/src/markets/listMarkets.test.ts', title];
const positionList = (title: string): NamedTest => ['apps/api/src/positions/listPositions.test.ts', title];
const history = (title: string): NamedTest => ['apps/api/src/positions/positionHistory.test.ts', title];
const markets = (title: string): NamedTest => ['packages/store/src/market/markets.test.ts', title];
const userTokens = (title: string): NamedTest => ['apps/api/src/auth/userTokens.test.ts', title];

/** Each type of event, with a test in which it comes about: the specification does not show their names. */
export const eventTests: Readonly<Record<EventType, NamedTest>> = {
  'position.created': life('opens by a real match, closes by request'),
  'position.opening': life('opens by a real match, closes by request'),
  'position.opened': life('opens by a real match, closes by request'),
  'position.close_requested': life('opens by a real match, closes by request'),
  'position.closed': life('opens by a real match, closes by request'),
  'position.partial_close_requested': life('closes in part and keeps the rest'),
  'position.partial_close_initiated': life('closes in part and keeps the rest'),
  'position.partial_closed': life('closes in part and keeps the rest'),
  'position.partial_close_aborted': fold('a part that an unwind leaves no room for'),
  'position.force_unwound': fold('a part that an unwind leaves no room for'),
  'position.liquidated': ['apps/keeper/test/liquidation.real.test.ts', 'is sold, the pool is repaid with its fee'],
  'position.settled': fold('each end of a position is an event of its own'),
  'position.reverted': life('is refunded when its minimum cannot be met'),
  'position.cancelled': fold('each end of a position is an event of its own'),
  'position.settlement_state_changed': announced('announces each status of a market once to its unfinished positions'),
  'position.updated': announced('announces a change that no event names as an update'),
  notification: sockets('no one sees an event of another wallet or partner'),
  'market.discovered': markets('a sync lists new markets once'),
  'market.updated': markets('a sync lists new markets once'),
};

/** Each status of a position, with the test of what makes it. */
export const statusTests: Readonly<Record<string, NamedTest>> = Object.fromEntries(
  [...activeStatuses, ...inactiveStatuses].map((status) => [
    status,
    ['packages/position/src/states/transitions.test.ts', 'status follows state, live order, request and payouts'],
  ]),
);

/** Promises of the specification that have no name to be found by, each in short, with a test that holds it. */
export const promiseTests: Readonly<Record<string, NamedTest>> = {
  'throttled requests get 429 with Retry-After': throttle('exactly 30 of many parallel requests'),
  'quotes, drafts and promotions share one request a second': throttle('one quote per second for quotes, drafts'),
  'sample events: one request in 30 seconds': sockets('once in 30 seconds for each wallet and for each partner'),
  'sample events: one of each type, one a second, to own connections': sockets("a token's user gets one of each"),
  'notional is collateral times leverage on every quote': quotes('holds the invariants of size and cost'),
  'a quote is signed by the signer of contract info': quotes('a signed quote verifies against contract info'),
  'resubmitting with the acceptable values is valid': decided('its acceptable values are accepted as they are'),
  'clamping to a hint and asking again succeeds': quotes('what a refusal names as acceptable is accepted'),
  'no revision below 1.5x': decided('LIQUIDITY_INSUFFICIENT: no revision reaches 1.5x'),
  'a draft cannot open a position': quotes('a draft has every figure and nothing that could open a position'),
  'drafts meet no capacity or position limit': decided('drafts reserve nothing, so no cap refuses them'),
  'promotions are independent, and one can be used': quotes('promotions are independent quotes of one position key'),
  'a draft is promoted by its creator alone': quotes("another wallet's, another partner's and expired drafts"),
  'quote requests: defaults': requests('decodes to quantities with the documented defaults'),
  'market lists: defaults': requests('markets: have the documented defaults'),
  'market lists: order': marketList('%s is a total order, page by page'),
  'market lists: prices only when asked for': marketList('prices only when asked for, null without recent data'),
  'the maximum notional is the least of its limits': marketList('the maximum is the least of its limits'),
  'position lists: newest first, within wallet and partner': positionList(
    "lists the wallet's positions within its partner",
  ),
  'position lists: status and state exclude each other': requests('status and state exclude each other'),
  'both cursors exclude each other': history('both cursors are malformed'),
  'partial closes: in order of time, final ones only': history('lists what is final on chain, in order of time'),
  'unwinds route: executed ones by default': history('answers the `unwinds` expansion by default'),
  'unwinds route: rows of the ladder last': history('`planned` leaves executed rows out, `all` keeps them'),
  'usage is that of open positions': quotes('usage counts positions, never live quotes'),
  'an opening fills in full or is refunded': life('is refunded when its minimum cannot be met'),
  'partial-open opens at the size that was filled': life('opens in part: the floor first, then the rest'),
  'a close of a resolved market waits for settlement': life('puts a close off until settlement'),
  'credentials of the other environment are refused': userTokens('another environment refuses it'),
  'a token ends an hour after its creation': userTokens('it ends at its expiry, not a second later'),
};

const itemsOf = (clause: string, kind: SpecifiedItem['kind'], names: object): readonly SpecifiedItem[] =>
  Object.keys(names).map((name) => ({ clause, kind, name }));

/** The same as items, under headings of their own. */
export const promisedItems: readonly SpecifiedItem[] = [
  ...itemsOf('Statuses of a position', 'status', statusTests),
  ...itemsOf('Event types', 'event', eventTests),
  ...itemsOf('Promises', 'promise', promiseTests),
];
