import {
  absent,
  clockError,
  compare,
  divide,
  type Expression,
  increase,
  max,
  metric,
  on,
  or,
  rate,
  sum,
  unless,
} from './expression.ts';

/** One alert of an operator: its rule, and the values with which its unit test fires it. */
export interface Alert {
  readonly name: string;
  /** The alert is pending while its value has an element. */
  readonly expression: Expression;
  readonly forMinutes: number;
  readonly severity: 'page' | 'ticket';
  readonly summary: string;
  /** Series, in the notation of promtool, with which it fires and with which it does not, a value a minute. */
  readonly firing: Readonly<Record<string, string>>;
  readonly quiet: Readonly<Record<string, string>>;
}

/** Names of the programs in Prometheus, as `ops/prometheus/prometheus.yml` scrapes them. */
export const scrapedJobs = ['api', 'keeper', 'filler', 'price-signer'] as const;

const page = (forMinutes: number) => ({ severity: 'page', forMinutes }) as const;
const ticket = (forMinutes: number) => ({ severity: 'ticket', forMinutes }) as const;

/** Value that a series has for twenty minutes. */
const steady = (value: number): string => `${value}x20`;
/** Value that a series has for five minutes, and another one from then on. */
const stepped = (from: number, to: number): string => `${from}x5 ${to}x15`;

/** Values of the metrics of an expression, in its order. A number is steady. */
type Values = readonly (number | string)[];

/** Rule over metrics without labels. */
function over(expression: Expression, firing: Values, quiet: Values): Pick<Alert, 'expression' | 'firing' | 'quiet'> {
  const seriesOf = (values: Values): Alert['firing'] =>
    Object.fromEntries(
      values.map((value, index) => [
        expression.selectors[index]?.name ?? '',
        typeof value === 'number' ? steady(value) : value,
      ]),
    );
  return { expression, firing: seriesOf(firing), quiet: seriesOf(quiet) };
}

/** Conditions that explain others, each with an alert of its own. */
const causes = {
  noSignatures: compare(
    sum('keeper_price_signer_answering', ['instance']),
    '<',
    on(['instance'], 'keeper_required_signatures'),
  ),
  noDatabase: or(compare('database_reachable', '==', 0), compare('database_writable', '==', 0)),
  dearGas: compare(increase('keeper_fee_ceiling_total', 5), '>', 0),
  noVenue: compare(sum(rate('venue_request_seconds_count', 1, { job: 'keeper', outcome: 'ok' })), '==', 0),
  noRole: compare(max('keeper_has_role'), '==', 0),
  noNodes: compare(metric('chain_nodes_answering', { job: 'keeper' }), '==', 0),
  noNodesOfSigner: compare(metric('chain_nodes_answering', { job: 'price-signer' }), '==', 0),
  wrongClock: compare(clockError('clock_seconds'), '>', 5),
  noFiller: or(
    compare(max(metric('up', { job: 'filler' })), '==', 0),
    compare(max(metric('chain_nodes_answering', { job: 'filler' })), '==', 0),
  ),
} as const;

/** Series of a keeper that needs two signatures, of two signers of which so many answer. */
const signersAnswering = (count: number): Alert['firing'] => ({
  'keeper_price_signer_answering{instance="a",signer="a"}': steady(1),
  'keeper_price_signer_answering{instance="a",signer="b"}': steady(count - 1),
  'keeper_required_signatures{instance="a"}': steady(2),
});

/** Openings of a category whose grants ended in ten minutes with one of these outcomes. */
const openingsEnded = (...outcome: readonly string[]): Expression =>
  sum(increase('keeper_ended_grants_total', 10, { purpose: 'open', outcome }), ['category']);

/** Return the path of the runbook page of an alert, from the root of the repository. */
export const runbookOf = (name: string): string => `docs/operate/runbook/${name}.md`;

/** Every alert, worst first. Each has a page of its name in docs/operate/runbook. */
const rows: Readonly<Record<string, Omit<Alert, 'name'>>> = {
  ProgramAway: {
    ...page(1),
    expression: or(
      compare(metric('up', { job: scrapedJobs }), '==', 0),
      absent(metric('up', { job: 'api' })),
      absent(metric('up', { job: 'keeper' })),
    ),
    summary: 'A program does not answer Prometheus: it is down, or it is not scraped.',
    firing: { 'up{job="api",instance="a"}': steady(1), 'up{job="keeper",instance="b"}': stepped(1, 0) },
    quiet: { 'up{job="api",instance="a"}': steady(1), 'up{job="keeper",instance="b"}': '0 1x20' },
  },
  DatabaseAway: {
    ...page(1),
    ...over(
      unless(compare('database_reachable', '==', 0), compare('api_locked_tables', '>', 0)),
      [stepped(1, 0), 0],
      [stepped(1, 0), stepped(0, 1)],
    ),
    summary: 'The database does not serve a program: nothing is quoted, sold or liquidated.',
  },
  DatabaseUnwritable: {
    ...page(1),
    ...over(
      unless(compare('database_writable', '==', 0), compare('api_locked_tables', '>', 0)),
      [stepped(1, 0), 0],
      [1, 0],
    ),
    summary: 'The database takes no writes: its disk is full, or it is a standby. Nothing is quoted or sent.',
  },
  SharesUnheld: {
    ...page(1),
    expression: unless(
      compare(sum('keeper_market_shares'), '<', max('keeper_market_share_count')),
      causes.noDatabase,
      causes.noNodes,
    ),
    summary: 'Some markets belong to no keeper: nothing is quoted, sold or liquidated there.',
    firing: {
      'keeper_market_shares{instance="a"}': stepped(32, 0),
      'keeper_market_shares{instance="b"}': steady(60),
      'keeper_market_share_count{instance="a"}': steady(64),
      'keeper_market_share_count{instance="b"}': steady(64),
    },
    quiet: {
      'keeper_market_shares{instance="a"}': steady(32),
      'keeper_market_shares{instance="b"}': '32 0 32x18',
      'keeper_market_share_count{instance="a"}': steady(64),
      'keeper_market_share_count{instance="b"}': steady(64),
    },
  },
  PriceSignersAway: {
    ...page(1),
    expression: unless(
      causes.noSignatures,
      compare(metric('up', { job: 'price-signer' }), '==', 0),
      causes.noNodesOfSigner,
      causes.noVenue,
      causes.wrongClock,
    ),
    summary: 'Fewer price signers answer than an order needs: nothing opens, sells or is liquidated.',
    firing: { ...signersAnswering(1), 'up{job="price-signer",instance="c"}': steady(1) },
    quiet: { ...signersAnswering(2), 'up{job="price-signer",instance="c"}': steady(1) },
  },
  KeeperRoleLost: {
    ...page(1),
    ...over(compare('keeper_has_role', '==', 0), [stepped(1, 0)], [1]),
    summary: 'The vault has no keeper in this account: it refuses each of its calls.',
  },
  NodesAway: {
    ...page(1),
    expression: compare('chain_nodes_answering', '==', 0),
    summary: 'No node of the chain answers a program: it quotes, trades or attests nothing.',
    firing: { 'chain_nodes_answering{job="api"}': steady(0), 'chain_nodes_answering{job="keeper"}': steady(2) },
    quiet: { 'chain_nodes_answering{job="api"}': steady(1), 'chain_nodes_answering{job="keeper"}': steady(2) },
  },
  NodeSpare: {
    ...ticket(5),
    expression: compare('chain_node_serving', '>', 1),
    summary: 'A program runs on its spare node: the first one does not answer, or is behind.',
    firing: { 'chain_node_serving{job="price-signer"}': steady(2) },
    quiet: { 'chain_node_serving{job="price-signer"}': '2x2 1x18' },
  },
  ClockWrong: {
    ...page(1),
    ...over(causes.wrongClock, ['20+60x20'], ['2+60x20']),
    summary: 'The clock of a program is wrong: it takes the last block for an old one, or a price for a fresh one.',
  },
  NodeBehind: {
    ...page(1),
    ...over(
      unless(
        or(compare('keeper_head_age_seconds', '>', 20), compare('keeper_chain_lead_seconds', '>', 5)),
        causes.wrongClock,
        causes.noNodes,
      ),
      [45, 0, '2+60x20'],
      [3, 0, '2+60x20'],
    ),
    summary: 'The last block is too old, or the clock of the chain is ahead: nothing is quoted.',
  },
  NodeDiffers: {
    ...page(1),
    expression: or(
      compare('keeper_index_differs', '==', 1),
      compare(increase('keeper_repaired_events_total', 10), '>', 0),
    ),
    summary: 'A node has left out logs: the index lacks something that the contracts count, or lacked it until now.',
    firing: { 'keeper_index_differs{count="accounts"}': steady(0), keeper_repaired_events_total: '0+1x20' },
    quiet: { 'keeper_index_differs{count="accounts"}': steady(0), keeper_repaired_events_total: steady(3) },
  },
  FinalityUnknown: {
    ...ticket(5),
    ...over(compare('keeper_final_block_unknown', '==', 1), [1], [0]),
    summary: 'The node does not know its final block: no market is settled, and no block is verified.',
  },
  NonceStuck: {
    ...page(1),
    expression: unless(compare('keeper_nonce_age_seconds', '>', 30), causes.noDatabase, causes.dearGas),
    summary: 'The transactions of a keeper are in no block: nothing is quoted.',
    firing: { keeper_nonce_age_seconds: steady(90), database_writable: steady(1) },
    quiet: { keeper_nonce_age_seconds: steady(90), database_writable: steady(0) },
  },
  TransactionsOrphaned: {
    ...ticket(10),
    ...over(compare(max('keeper_orphaned_transactions'), '>', 0), [1], [0]),
    summary: 'Transactions of a key that no keeper uses stay unfinished.',
  },
  KeeperCoinLow: {
    ...page(1),
    ...over(compare('keeper_coin_balance', '<', 'keeper_coin_reserve'), [1, 3], [20, 3]),
    summary: 'The account of a keeper has little native coin left: below the minimum nothing is quoted.',
  },
  GasPriceHigh: {
    ...page(2),
    ...over(causes.dearGas, ['0+5x20'], [5]),
    summary: 'The price of gas is above the ceiling of the keeper: its transactions wait.',
  },
  VenueRefuses: {
    ...page(2),
    ...over(compare('keeper_venue_breaker_open', '==', 1), [1], [0]),
    summary: 'The venue refuses the account or all orders: nothing is posted or quoted.',
  },
  VenueAway: {
    ...page(1),
    ...over(or(compare('keeper_catalogue_age_seconds', '>', 600), causes.noVenue), [700], [30]),
    summary: 'The venue answers no request of any keeper, or its catalogue was not read as a whole for ten minutes.',
  },
  OrdersRefused: {
    ...page(0),
    expression: compare(sum(increase('keeper_unexplained_refusals_total', 10), ['code']), '>', 0),
    summary: 'The venue ends orders for their form or in unknown words.',
    firing: { 'keeper_unexplained_refusals_total{code="invalid_order"}': stepped(0, 4) },
    quiet: { 'keeper_unexplained_refusals_total{code="invalid_order"}': steady(4) },
  },
  OpeningsUnfilled: {
    ...page(5),
    // Grants that were withdrawn before their time say nothing about fillers.
    expression: unless(
      compare(divide(openingsEnded('unfilled'), openingsEnded('filled', 'part', 'unfilled')), '>', 0.9),
      causes.noFiller,
    ),
    summary: 'Openings of a category are refunded: no filler takes their grants.',
    firing: {
      'keeper_ended_grants_total{purpose="open",category="sport",outcome="unfilled"}': '0+6x20',
      'up{job="filler",instance="a"}': steady(1),
    },
    quiet: {
      'keeper_ended_grants_total{purpose="open",category="sport",outcome="unfilled"}': '0+3x20',
      'keeper_ended_grants_total{purpose="open",category="sport",outcome="part"}': '0+3x20',
      'up{job="filler",instance="a"}': steady(1),
    },
  },
  SalesLate: {
    ...page(1),
    expression: unless(
      compare(max('keeper_oldest_sale_seconds', ['kind']), '>', 60),
      causes.noSignatures,
      causes.noFiller,
      causes.noDatabase,
      causes.noRole,
      causes.dearGas,
      causes.noVenue,
    ),
    summary: 'A liquidation, an unwind or the close of a user has been waiting for a minute: it may cost the pool.',
    firing: {
      'keeper_oldest_sale_seconds{instance="a",kind="debt"}': '0x2 0+60x17',
      'keeper_oldest_sale_seconds{instance="a",kind="close"}': steady(0),
      ...signersAnswering(2),
      'up{job="filler",instance="c"}': steady(1),
    },
    quiet: {
      'keeper_oldest_sale_seconds{instance="a",kind="debt"}': '0 90 0 0 90 0x15',
      'keeper_oldest_sale_seconds{instance="a",kind="close"}': '0+60x20',
      ...signersAnswering(2),
      'up{job="filler",instance="c"}': steady(0),
    },
  },
  DebtsUnsellable: {
    ...ticket(10),
    ...over(compare('keeper_unsellable_debts', '>', 0), [1], [stepped(1, 0)]),
    summary: 'A due debt has too few tokens for any sale, and is repaid by the settlement of its market alone.',
  },
  PositionsFailing: {
    ...page(5),
    ...over(unless(compare('keeper_failing_positions', '>', 0), causes.noDatabase), [2], ['0 2 0 0 2 0x15']),
    summary: 'The last step of a position failed, and the next attempts too.',
  },
  CallsRefused: {
    ...page(5),
    ...over(unless(compare('keeper_refused_calls', '>', 0), causes.noRole), [1], ['0 1 0 0 1 0x15']),
    summary: 'The vault refuses a call of a position again and again.',
  },
  PositionsFrozen: {
    ...page(1),
    ...over(compare(max('keeper_frozen_positions'), '>', 0), [stepped(0, 1)], [0]),
    summary: 'A position is left alone until an operator decides.',
  },
  PositionsUnlisted: {
    ...ticket(10),
    ...over(compare('keeper_unlisted_positions', '>', 0), [1], [0]),
    summary: 'The venue does not list the market of a position: its debt is not watched.',
  },
  FillerDiffers: {
    ...page(1),
    ...over(compare('filler_accounts_difference_usdc_units', '!=', 0), [-1], [0]),
    summary: 'The accounts of a filler differ from its balance on chain.',
  },
  FillerUnwritable: {
    ...page(1),
    ...over(compare('filler_journal_unwritable', '==', 1), [1], [0]),
    summary: 'The disk takes no line of a filler’s journal: nothing new is filled.',
  },
  FillerUnsold: {
    ...ticket(10),
    expression: or(compare('filler_unsold_usdc_units', '>', 5_000_000), compare('filler_unfinished', '>', 0)),
    summary: 'A filler cannot sell its tokens, or an order or a transaction of it does not end.',
    firing: { filler_unsold_usdc_units: steady(200_000_000), 'filler_unfinished{kind="order"}': steady(0) },
    quiet: { filler_unsold_usdc_units: steady(1_000_000), 'filler_unfinished{kind="order"}': steady(0) },
  },
  QuoteKeyRefused: {
    ...page(1),
    ...over(compare('api_quote_key_accepted', '==', 0), [stepped(1, 0)], ['1 0 1x18']),
    summary: 'The vault accepts another quote key than that of an API: it quotes nothing.',
  },
  PoolEmpty: {
    ...page(5),
    ...over(compare('api_pool_free_usdc_units', '<', 5_000_000), [stepped(900_000_000, 1_000_000)], [900_000_000]),
    summary: 'The pool has nothing to lend: every quote with leverage is refused.',
  },
  RequestsFail: {
    ...page(5),
    // A refusal for a known reason has 503 and an alert of its own.
    expression: unless(
      compare(
        divide(
          sum(rate('api_request_duration_seconds_count', 5, { status: '500' })),
          sum(rate('api_request_duration_seconds_count', 5)),
        ),
        '>',
        0.01,
      ),
      causes.noDatabase,
    ),
    summary: 'More than 1 % of the requests end with an unexpected failure.',
    firing: {
      'api_request_duration_seconds_count{route="/quotes",status="200"}': '0+100x20',
      'api_request_duration_seconds_count{route="/quotes",status="500"}': '0+5x20',
    },
    quiet: {
      'api_request_duration_seconds_count{route="/quotes",status="503"}': '0+1000x20',
      'api_request_duration_seconds_count{route="/quotes",status="500"}': '0+1x20',
    },
  },
  SignerAway: {
    ...page(2),
    expression: compare(sum(increase('signing_seconds_count', 5, { outcome: 'failed' }), ['job', 'instance']), '>', 0),
    summary: 'The holder of a key does not sign: its program quotes, sends or attests nothing.',
    firing: { 'signing_seconds_count{job="api",instance="a",outcome="failed"}': '0+3x20' },
    quiet: { 'signing_seconds_count{job="api",instance="a",outcome="failed"}': steady(3) },
  },
  DatabaseBusy: {
    ...ticket(5),
    ...over(unless(compare('database_waiting_queries', '>', 0), causes.noDatabase), [4], ['0 4 0 0 3 0x15']),
    summary: 'Queries of a program have been waiting for a connection of its pool for minutes.',
  },
  RedisAway: {
    ...ticket(5),
    ...over(compare('redis_reachable', '==', 0), [stepped(1, 0)], ['1 0 0 1x17']),
    summary: 'Redis does not answer a program: the database counts its limits, and events are polled.',
  },
  TablesLocked: {
    ...page(1),
    ...over(compare('api_locked_tables', '>', 0), [1], ['0 1 0x18']),
    summary: 'Another session keeps statements from a table of the database: no quotes.',
  },
  EventsWaiting: {
    ...ticket(1),
    ...over(compare('api_events_waiting_seconds', '>', 10), [30], [0]),
    summary: 'A transaction of the database holds back the events of all clients.',
  },
};

export const alertTable: readonly Alert[] = Object.entries(rows).map(([name, row]) => ({ name, ...row }));
