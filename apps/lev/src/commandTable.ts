import type { Answers } from './answer.ts';
import type { Context } from './context.ts';

/** One command: its usage, its help, and the module that runs it, loaded on call. */
export interface CommandRow {
  /** Words and arguments, as the usage line shows them. */
  readonly usage: string;
  readonly summary: string;
  /** Flags with their descriptions. */
  readonly options?: readonly (readonly [flags: string, text: string])[];
  /** Calls to copy, without the name of the program. */
  readonly examples?: readonly string[];
  readonly load: () => Promise<(context: Context, args: readonly string[]) => Answers>;
}

const asAccount = ['--as <account>', 'account of the local stack (default: alice)'] as const;
const orderOptions = [
  asAccount,
  ['--side <side>', 'yes or no (default: yes)'],
  ['--leverage <multiple>', 'decimal text in steps of 0.25 (default: 2)'],
  ['--notional <usd>', 'amount in USD (default: 100)'],
  ['--slippage <bps>', '100 to 1000 (default: 500)'],
  ['--no-revision', 'refuse instead of lowering size or leverage'],
] as const;
const openOptions = [...orderOptions, ['--yes', 'open a lowered size or leverage without asking']] as const;

/** Every command, in the order in which help lists them. */
export const commandTable: readonly CommandRow[] = [
  {
    usage: 'status',
    summary: 'print addresses, processes and readiness of the stack',
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    usage: 'doctor',
    summary: 'check the stack and suggest a fix for each failure; exit code 7 when a check fails',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    usage: 'logs [program]',
    summary: 'print the last log lines of one program, or of all',
    options: [
      ['--lines <count>', 'lines per program (default: 20)'],
      ['--level <level>', 'minimum level: debug, info, warn, error (default: info)'],
      ['--follow', 'print new lines until interrupted'],
      ['--raw', 'print the JSON of each line'],
    ],
    examples: ['logs keeper --level warn', 'logs api --follow'],
    load: async () => (await import('./commands/logs.ts')).logs,
  },
  {
    usage: 'accounts',
    summary: 'list the accounts of the local stack with their USDC balances',
    load: async () => (await import('./commands/accounts.ts')).accounts,
  },
  {
    usage: 'fund <account>',
    summary: 'send test USDC to an account or an address of the local chain',
    options: [['--usd <amount>', 'amount in USD (default: 1000)']],
    examples: ['fund bob --usd 250'],
    load: async () => (await import('./commands/accounts.ts')).fund,
  },
  {
    usage: 'markets [ticker]',
    summary: 'list markets that accept new positions, or show one market',
    options: [
      ['--all', 'include markets that accept no new positions'],
      ['--query <text>', 'title, ticker or token ID'],
      ['--limit <count>', 'maximum number of markets (default: 25)'],
    ],
    examples: ['markets --query btc', 'markets <ticker>'],
    load: async () => (await import('./commands/markets.ts')).markets,
  },
  {
    usage: 'markets disable <ticker>',
    summary: 'refuse new positions in a market',
    options: [['--reason <text>', 'reason reported with rejected quotes']],
    load: async () => (await import('./commands/operator.ts')).disableMarket,
  },
  {
    usage: 'markets enable <ticker>',
    summary: 'accept new positions in a market again',
    load: async () => (await import('./commands/operator.ts')).enableMarket,
  },
  {
    usage: 'quote <ticker>',
    summary: 'draft a quote: costs, liquidation price, payout and unmet requirements',
    options: orderOptions,
    examples: ['quote <ticker> --side no --leverage 2.5 --notional 250'],
    load: async () => (await import('./commands/trade.ts')).quote,
  },
  {
    usage: 'open <ticker>',
    summary: 'draft, promote, verify and open a position',
    options: openOptions,
    examples: ['open <ticker> --leverage 3 --notional 100', 'open <ticker> --no-revision'],
    load: async () => (await import('./commands/trade.ts')).open,
  },
  {
    usage: 'close <position>',
    summary: 'sell a position, or a part of it, by its ID or key',
    options: [
      asAccount,
      ['--min-price <usd>', 'lowest price to sell at (required)'],
      ['--tokens <count>', 'sell only this many tokens'],
      ['--wait <duration>', 'maximum wait for the sale: 30s, 10m (default: 2m)'],
    ],
    examples: ['close <position> --min-price 0.40', 'close <position> --min-price 0.40 --tokens 50'],
    load: async () => (await import('./commands/close.ts')).close,
  },
  {
    usage: 'positions [position]',
    summary: 'list the positions of an account, or show one by its ID or key',
    options: [
      asAccount,
      ['--all', 'include closed positions'],
      ['--limit <count>', 'maximum number of positions (default: 25)'],
    ],
    examples: ['positions --as bob --all'],
    load: async () => (await import('./commands/positions.ts')).positions,
  },
  {
    usage: 'positions frozen',
    summary: 'list positions that await review, with the reason',
    options: [['--limit <count>', 'maximum number of positions, oldest first (default: 25)']],
    load: async () => (await import('./commands/operator.ts')).frozen,
  },
  {
    usage: 'positions unfreeze <key>',
    summary: 'resume a position after its review',
    load: async () => (await import('./commands/operator.ts')).unfreeze,
  },
  {
    usage: 'listen',
    summary: 'print events as they arrive, one per line; reconnects and resumes',
    options: [
      asAccount,
      ['--after <id>', 'resume after this event'],
      ['--partner', 'positions of all wallets of the partner'],
      ['--markets', 'markets instead of positions'],
      ['--count <count>', 'stop after this many events'],
    ],
    examples: ['listen --as alice', 'listen --markets --count 10 --json'],
    load: async () => (await import('./commands/listen.ts')).listen,
  },
  {
    usage: 'clock advance <duration>',
    summary: 'advance the clock of chain, venue and service together: 90s, 30m, 2h, 1d',
    examples: ['clock advance 30m'],
    load: async () => (await import('./commands/simulator.ts')).advance,
  },
  {
    usage: 'scenario [name] [market]',
    summary: 'run a scenario of the simulated venue; list them without a name',
    options: [['--params <json>', 'parameters of the scenario']],
    examples: ['scenario'],
    load: async () => (await import('./commands/simulator.ts')).scenario,
  },
  {
    usage: 'crash <market>',
    summary: 'drop the price of one side',
    options: [
      ['--side <side>', 'yes or no (default: yes)'],
      ['--by <usd>', 'drop in USD (default: 0.30)'],
    ],
    examples: ['crash <ticker> --side yes --by 0.20'],
    load: async () => (await import('./commands/simulator.ts')).crash,
  },
  {
    usage: 'resolve <market> <outcome>',
    summary: 'resolve a market: yes or no',
    load: async () => (await import('./commands/simulator.ts')).resolve,
  },
  {
    usage: 'keys issue <partner>',
    summary: 'issue an API key; a partner has at most two active ones',
    load: async () => (await import('./commands/operator.ts')).issueKey,
  },
  {
    usage: 'keys rotate <partner>',
    summary: 'issue an API key and revoke all others of the partner',
    load: async () => (await import('./commands/operator.ts')).rotateKeys,
  },
  {
    usage: 'keys revoke <key>',
    summary: 'revoke an API key by its ID',
    load: async () => (await import('./commands/operator.ts')).revokeKey,
  },
  {
    usage: 'partners',
    summary: 'list partners with their keys',
    load: async () => (await import('./commands/operator.ts')).partners,
  },
  {
    usage: 'oracles list',
    summary: 'list stopped oracles with the reason; their markets are not quoted',
    load: async () => (await import('./commands/operator.ts')).listOracles,
  },
  {
    usage: 'oracles resume <address>',
    summary: 'resume quotes for the markets of an oracle',
    load: async () => (await import('./commands/operator.ts')).resumeOracle,
  },
  {
    usage: 'vault signers',
    summary: 'show the number of price signers and the threshold of an order',
    load: async () => (await import('./commands/operator.ts')).vaultSigners,
  },
  {
    usage: 'venue doctor',
    summary: 'try how the venue treats this account: ten steps with the expected answers, dry by default',
    options: [
      ['--token <id>', 'outcome token of the orders, with a tick of 0.001'],
      ['--spend <usd>', 'place tiny orders for at most this many USD (default: 0)'],
      ['--report <file>', 'write the outcomes to a file'],
    ],
    examples: ['venue doctor', 'venue doctor --spend 10 --token <id> --report venue.md'],
    load: async () => (await import('./commands/venue.ts')).venueDoctor,
  },
  {
    usage: 'migrate',
    summary: 'run database migrations',
    load: async () => (await import('./commands/operator.ts')).migrateDatabase,
  },
  {
    usage: 'reset',
    summary: 'delete the state of the stopped local stack',
    load: async () => (await import('./commands/reset.ts')).reset,
  },
];
