/** One alert of an operator: its rule, and the values with which its unit test fires it. */
export interface Alert {
  readonly name: string;
  /** PromQL; the alert is pending while it returns a series. */
  readonly expression: string;
  readonly forMinutes: number;
  readonly severity: 'page' | 'ticket';
  readonly summary: string;
  /** Series, in the notation of promtool, with which it fires and with which it does not, a value a minute. */
  readonly firing: Readonly<Record<string, string>>;
  readonly quiet: Readonly<Record<string, string>>;
}

/** Names of the programs in Prometheus, as `ops/prometheus/prometheus.yml` scrapes them. */
export const scrapedJobs = ['api', 'keeper', 'filler', 'price-signer'] as const;

/** Value that a series has for twenty minutes. */
const steady = (value: number): string => `${value}x20`;
/** Value that a series has for five minutes, and another one from then on. */
const stepped = (from: number, to: number): string => `${from}x5 ${to}x15`;

/** Conditions that explain others, each with an alert of its own. */
const causes = {
  noSignatures: 'sum by (instance) (keeper_price_signer_answering) < on (instance) keeper_required_signatures',
  noDatabase: 'database_reachable == 0 or database_writable == 0',
  noFiller: 'max(up{job="filler"}) == 0',
} as const;

/** Build a rule that is silent while a cause with an alert of its own explains its condition. */
const except = (condition: string, ...explanations: readonly string[]): string =>
  explanations.reduce((rule, cause) => `${rule} unless on () (${cause})`, `(${condition})`);

/** Series of a keeper that needs two signatures, of two signers of which so many answer. */
const signersAnswering = (count: number): Alert['firing'] => ({
  'keeper_price_signer_answering{instance="a",signer="a"}': steady(1),
  'keeper_price_signer_answering{instance="a",signer="b"}': steady(count - 1),
  'keeper_required_signatures{instance="a"}': steady(2),
});

/** Openings of a category whose grants ended in ten minutes with one of these outcomes. */
const openingsEnded = (outcomes: string): string =>
  `sum by (category) (increase(keeper_ended_grants_total{purpose="open",outcome=~"${outcomes}"}[10m]))`;

/** Return the path of the runbook page of an alert, from the root of the repository. */
export const runbookOf = (name: string): string => `docs/operate/runbook/${name}.md`;

/** Every alert, worst first. Each has a page of its name in docs/operate/runbook. */
export const alertTable: readonly Alert[] = [
  {
    name: 'ProgramAway',
    expression: `up{job=~"${scrapedJobs.join('|')}"} == 0 or absent(up{job="api"}) or absent(up{job="keeper"})`,
    forMinutes: 1,
    severity: 'page',
    summary: 'A program does not answer Prometheus: it is down, or it is not scraped.',
    firing: { 'up{job="api",instance="a"}': steady(1), 'up{job="keeper",instance="b"}': stepped(1, 0) },
    quiet: { 'up{job="api",instance="a"}': steady(1), 'up{job="keeper",instance="b"}': '0 1x20' },
  },
  {
    name: 'DatabaseAway',
    expression: except('database_reachable == 0', 'api_locked_tables > 0'),
    forMinutes: 1,
    severity: 'page',
    summary: 'The database does not serve a program: nothing is quoted, sold or liquidated.',
    firing: { database_reachable: stepped(1, 0), api_locked_tables: steady(0) },
    quiet: { database_reachable: stepped(1, 0), api_locked_tables: stepped(0, 1) },
  },
  {
    name: 'DatabaseUnwritable',
    expression: except('database_writable == 0', 'api_locked_tables > 0'),
    forMinutes: 1,
    severity: 'page',
    summary: 'The database takes no writes: its disk is full, or it is a standby. Nothing is quoted or sent.',
    firing: { database_writable: stepped(1, 0), api_locked_tables: steady(0) },
    quiet: { database_writable: steady(1), api_locked_tables: steady(0) },
  },
  {
    name: 'SharesUnheld',
    expression: except('sum(keeper_market_shares) < max(keeper_market_share_count)', causes.noDatabase),
    forMinutes: 1,
    severity: 'page',
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
  {
    name: 'PriceSignersAway',
    expression: except(causes.noSignatures, 'up{job="price-signer"} == 0'),
    forMinutes: 1,
    severity: 'page',
    summary: 'Fewer price signers answer than an order needs: nothing opens, sells or is liquidated.',
    firing: { ...signersAnswering(1), 'up{job="price-signer",instance="c"}': steady(1) },
    quiet: { ...signersAnswering(2), 'up{job="price-signer",instance="c"}': steady(1) },
  },
  {
    name: 'NodesAway',
    expression: 'chain_nodes_answering == 0',
    forMinutes: 1,
    severity: 'page',
    summary: 'No node of the chain answers a program: it quotes, trades or attests nothing.',
    firing: { 'chain_nodes_answering{job="api"}': steady(0), 'chain_nodes_answering{job="keeper"}': steady(2) },
    quiet: { 'chain_nodes_answering{job="api"}': steady(1), 'chain_nodes_answering{job="keeper"}': steady(2) },
  },
  {
    name: 'NodeSpare',
    expression: 'chain_node_serving > 1',
    forMinutes: 5,
    severity: 'ticket',
    summary: 'A program runs on its spare node: the first one does not answer, or is behind.',
    firing: { 'chain_node_serving{job="price-signer"}': steady(2) },
    quiet: { 'chain_node_serving{job="price-signer"}': '2x2 1x18' },
  },
  {
    name: 'NodeBehind',
    expression: 'keeper_head_age_seconds > 20 or keeper_chain_lead_seconds > 5',
    forMinutes: 1,
    severity: 'page',
    summary: 'The last block is too old, or the clock of the chain is ahead: nothing is quoted.',
    firing: { keeper_head_age_seconds: steady(45), keeper_chain_lead_seconds: steady(0) },
    quiet: { keeper_head_age_seconds: steady(3), keeper_chain_lead_seconds: steady(0) },
  },
  {
    name: 'NodeDiffers',
    expression: 'keeper_index_differs == 1 or increase(keeper_repaired_events_total[10m]) > 0',
    forMinutes: 1,
    severity: 'page',
    summary: 'A node has left out logs: the index lacks something that the contracts count, or lacked it until now.',
    firing: { 'keeper_index_differs{count="accounts"}': steady(0), keeper_repaired_events_total: '0+1x20' },
    quiet: { 'keeper_index_differs{count="accounts"}': steady(0), keeper_repaired_events_total: steady(3) },
  },
  {
    name: 'FinalityUnknown',
    expression: 'keeper_final_block_unknown == 1',
    forMinutes: 5,
    severity: 'ticket',
    summary: 'The node does not know its final block: no market is settled, and no block is verified.',
    firing: { keeper_final_block_unknown: steady(1) },
    quiet: { keeper_final_block_unknown: steady(0) },
  },
  {
    name: 'NonceStuck',
    expression: except('keeper_nonce_age_seconds > 30', causes.noDatabase),
    forMinutes: 1,
    severity: 'page',
    summary: 'The transactions of a keeper are in no block: nothing is quoted.',
    firing: { keeper_nonce_age_seconds: steady(90), database_writable: steady(1) },
    quiet: { keeper_nonce_age_seconds: steady(90), database_writable: steady(0) },
  },
  {
    name: 'TransactionsOrphaned',
    expression: 'max(keeper_orphaned_transactions) > 0',
    forMinutes: 10,
    severity: 'ticket',
    summary: 'Transactions of a key that no keeper uses stay unfinished.',
    firing: { keeper_orphaned_transactions: steady(1) },
    quiet: { keeper_orphaned_transactions: steady(0) },
  },
  {
    name: 'KeeperCoinLow',
    expression: 'keeper_coin_balance < keeper_coin_reserve',
    forMinutes: 1,
    severity: 'page',
    summary: 'The account of a keeper has little native coin left: below the minimum nothing is quoted.',
    firing: { keeper_coin_balance: steady(1), keeper_coin_reserve: steady(3) },
    quiet: { keeper_coin_balance: steady(20), keeper_coin_reserve: steady(3) },
  },
  {
    name: 'GasPriceHigh',
    expression: 'increase(keeper_fee_ceiling_total[5m]) > 0',
    forMinutes: 2,
    severity: 'page',
    summary: 'The price of gas is above the ceiling of the keeper: its transactions wait.',
    firing: { keeper_fee_ceiling_total: '0+5x20' },
    quiet: { keeper_fee_ceiling_total: steady(5) },
  },
  {
    name: 'VenueRefuses',
    expression: 'keeper_venue_breaker_open == 1',
    forMinutes: 2,
    severity: 'page',
    summary: 'The venue refuses the account or all orders: nothing is posted or quoted.',
    firing: { keeper_venue_breaker_open: steady(1) },
    quiet: { keeper_venue_breaker_open: steady(0) },
  },
  {
    name: 'VenueAway',
    expression: 'keeper_catalogue_age_seconds > 600',
    forMinutes: 1,
    severity: 'page',
    summary: 'The catalogue of the venue was not read as a whole for ten minutes.',
    firing: { keeper_catalogue_age_seconds: steady(700) },
    quiet: { keeper_catalogue_age_seconds: steady(30) },
  },
  {
    name: 'OrdersRefused',
    expression: 'sum by (code) (increase(keeper_unexplained_refusals_total[10m])) > 0',
    forMinutes: 0,
    severity: 'page',
    summary: 'The venue ends orders for their form or in unknown words.',
    firing: { 'keeper_unexplained_refusals_total{code="invalid_order"}': stepped(0, 4) },
    quiet: { 'keeper_unexplained_refusals_total{code="invalid_order"}': steady(4) },
  },
  {
    name: 'OpeningsUnfilled',
    // Grants that were withdrawn before their time say nothing about fillers.
    expression: except(
      `${openingsEnded('unfilled')} / ${openingsEnded('filled|part|unfilled')} > 0.9`,
      causes.noFiller,
    ),
    forMinutes: 5,
    severity: 'page',
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
  {
    name: 'SalesLate',
    expression: except(
      'max by (kind) (keeper_oldest_sale_seconds) > 60',
      causes.noSignatures,
      causes.noFiller,
      causes.noDatabase,
    ),
    forMinutes: 1,
    severity: 'page',
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
  {
    name: 'DebtsUnsellable',
    expression: 'keeper_unsellable_debts > 0',
    forMinutes: 10,
    severity: 'ticket',
    summary: 'A due debt has too few tokens for any sale, and is repaid by the settlement of its market alone.',
    firing: { keeper_unsellable_debts: steady(1) },
    quiet: { keeper_unsellable_debts: stepped(1, 0) },
  },
  {
    name: 'PositionsFailing',
    expression: except('keeper_failing_positions > 0', causes.noDatabase),
    forMinutes: 5,
    severity: 'page',
    summary: 'The last step of a position failed, and the next attempts too.',
    firing: { keeper_failing_positions: steady(2) },
    quiet: { keeper_failing_positions: '0 2 0 0 2 0x15' },
  },
  {
    name: 'CallsRefused',
    expression: 'keeper_refused_calls > 0',
    forMinutes: 5,
    severity: 'page',
    summary: 'The vault refuses a call of a position again and again.',
    firing: { keeper_refused_calls: steady(1) },
    quiet: { keeper_refused_calls: '0 1 0 0 1 0x15' },
  },
  {
    name: 'PositionsFrozen',
    expression: 'max(keeper_frozen_positions) > 0',
    forMinutes: 1,
    severity: 'page',
    summary: 'A position is left alone until an operator decides.',
    firing: { keeper_frozen_positions: stepped(0, 1) },
    quiet: { keeper_frozen_positions: steady(0) },
  },
  {
    name: 'PositionsUnlisted',
    expression: 'keeper_unlisted_positions > 0',
    forMinutes: 10,
    severity: 'ticket',
    summary: 'The venue does not list the market of a position: its debt is not watched.',
    firing: { keeper_unlisted_positions: steady(1) },
    quiet: { keeper_unlisted_positions: steady(0) },
  },
  {
    name: 'FillerDiffers',
    expression: 'filler_accounts_difference_usdc_units != 0',
    forMinutes: 1,
    severity: 'page',
    summary: 'The accounts of a filler differ from its balance on chain.',
    firing: { filler_accounts_difference_usdc_units: steady(-1) },
    quiet: { filler_accounts_difference_usdc_units: steady(0) },
  },
  {
    name: 'FillerUnwritable',
    expression: 'filler_journal_unwritable == 1',
    forMinutes: 1,
    severity: 'page',
    summary: 'The disk takes no line of a filler’s journal: nothing new is filled.',
    firing: { filler_journal_unwritable: steady(1) },
    quiet: { filler_journal_unwritable: steady(0) },
  },
  {
    name: 'FillerUnsold',
    expression: 'filler_unsold_usdc_units > 5000000 or filler_unfinished > 0',
    forMinutes: 10,
    severity: 'ticket',
    summary: 'A filler cannot sell its tokens, or an order or a transaction of it does not end.',
    firing: { filler_unsold_usdc_units: steady(200_000_000), 'filler_unfinished{kind="order"}': steady(0) },
    quiet: { filler_unsold_usdc_units: steady(1_000_000), 'filler_unfinished{kind="order"}': steady(0) },
  },
  {
    name: 'PoolEmpty',
    expression: 'api_pool_free_usdc_units < 5000000',
    forMinutes: 5,
    severity: 'page',
    summary: 'The pool has nothing to lend: every quote with leverage is refused.',
    firing: { api_pool_free_usdc_units: stepped(900_000_000, 1_000_000) },
    quiet: { api_pool_free_usdc_units: steady(900_000_000) },
  },
  {
    name: 'RequestsFail',
    // A refusal for a known reason has 503 and an alert of its own.
    expression: except(
      'sum(rate(api_request_duration_seconds_count{status="500"}[5m])) / sum(rate(api_request_duration_seconds_count[5m])) > 0.01',
      causes.noDatabase,
    ),
    forMinutes: 5,
    severity: 'page',
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
  {
    name: 'SignerAway',
    expression: 'sum by (job, instance) (increase(signing_seconds_count{outcome="failed"}[5m])) > 0',
    forMinutes: 2,
    severity: 'page',
    summary: 'The holder of a key does not sign: its program quotes, sends or attests nothing.',
    firing: { 'signing_seconds_count{job="api",instance="a",outcome="failed"}': '0+3x20' },
    quiet: { 'signing_seconds_count{job="api",instance="a",outcome="failed"}': steady(3) },
  },
  {
    name: 'DatabaseBusy',
    expression: except('database_waiting_queries > 0', causes.noDatabase),
    forMinutes: 5,
    severity: 'ticket',
    summary: 'Queries of a program have been waiting for a connection of its pool for minutes.',
    firing: { database_waiting_queries: steady(4) },
    quiet: { database_waiting_queries: '0 4 0 0 3 0x15' },
  },
  {
    name: 'RedisAway',
    expression: 'redis_reachable == 0',
    forMinutes: 5,
    severity: 'ticket',
    summary: 'Redis does not answer a program: the database counts its limits, and events are polled.',
    firing: { redis_reachable: stepped(1, 0) },
    quiet: { redis_reachable: '1 0 0 1x17' },
  },
  {
    name: 'TablesLocked',
    expression: 'api_locked_tables > 0',
    forMinutes: 1,
    severity: 'page',
    summary: 'Another session keeps statements from a table of the database: no quotes.',
    firing: { api_locked_tables: steady(1) },
    quiet: { api_locked_tables: '0 1 0x18' },
  },
  {
    name: 'EventsWaiting',
    expression: 'api_events_waiting_seconds > 10',
    forMinutes: 1,
    severity: 'ticket',
    summary: 'A transaction of the database holds back the events of all clients.',
    firing: { api_events_waiting_seconds: steady(30) },
    quiet: { api_events_waiting_seconds: steady(0) },
  },
];
