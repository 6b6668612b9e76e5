import type { Answers } from './answer.ts';
import type { Context } from './context.ts';

/** One command: how it is written, what it does, and the module that does it, loaded when it is called. */
export interface CommandRow {
  /** Words and arguments, as usage shows them. */
  readonly usage: string;
  readonly summary: string;
  /** Flags with their descriptions. */
  readonly options?: readonly (readonly [flags: string, text: string])[];
  readonly load: () => Promise<(context: Context, args: readonly string[]) => Answers>;
}

const asAccount = ['--as <account>', 'account of the local stack that acts (default: alice)'] as const;
const orderOptions = [
  asAccount,
  ['--side <side>', 'yes or no (default: yes)'],
  ['--leverage <multiple>', 'as decimal text (default: 2)'],
  ['--notional <usd>', 'dollars as decimal text (default: 100)'],
  ['--slippage <bps>', '100 to 1000 (default: 500)'],
  ['--no-revision', 'refuse instead of lowering size or leverage'],
] as const;

/** Every command, in the order in which help lists them. */
export const commandTable: readonly CommandRow[] = [
  {
    usage: 'status',
    summary: 'what runs, where, and whether it is ready',
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    usage: 'doctor',
    summary: 'looks for what is wrong and says what helps; exit code 7 when something is',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    usage: 'logs [program]',
    summary: 'last lines of the programs of the stack, or of one',
    options: [['--lines <count>', 'how many of each (default: 20)']],
    load: async () => (await import('./commands/logs.ts')).logs,
  },
  {
    usage: 'accounts',
    summary: 'accounts of the local stack with their USDC',
    load: async () => (await import('./commands/accounts.ts')).accounts,
  },
  {
    usage: 'fund <account>',
    summary: 'gives test USDC to an account or an address of the local chain',
    options: [['--usd <amount>', 'dollars as decimal text (default: 1000)']],
    load: async () => (await import('./commands/accounts.ts')).fund,
  },
  {
    usage: 'markets [ticker]',
    summary: 'markets that accept positions, or one market',
    options: [
      ['--all', 'also those that accept none'],
      ['--query <text>', 'title, ticker or token ID'],
      ['--limit <count>', 'how many at most (default: 25)'],
    ],
    load: async () => (await import('./commands/markets.ts')).markets,
  },
  {
    usage: 'markets disable <ticker>',
    summary: 'no new positions in this market',
    options: [['--reason <text>', 'what quotes are refused with']],
    load: async () => (await import('./commands/operator.ts')).disableMarket,
  },
  {
    usage: 'markets enable <ticker>',
    summary: 'new positions again',
    load: async () => (await import('./commands/operator.ts')).enableMarket,
  },
  {
    usage: 'quote <ticker>',
    summary: 'a draft with its costs, gains and what is missing to open it',
    options: orderOptions,
    load: async () => (await import('./commands/trade.ts')).quote,
  },
  {
    usage: 'open <ticker>',
    summary: 'drafts, promotes, verifies and opens a position, step by step',
    options: orderOptions,
    load: async () => (await import('./commands/trade.ts')).open,
  },
  {
    usage: 'close <position>',
    summary: 'closes a position, by its ID or key, or a part of it',
    options: [
      asAccount,
      ['--min-price <usd>', 'least price of the sale (required)'],
      ['--tokens <count>', 'sells this many alone'],
    ],
    load: async () => (await import('./commands/trade.ts')).close,
  },
  {
    usage: 'positions [position]',
    summary: 'positions of an account, or one of them by its ID or key',
    options: [
      asAccount,
      ['--all', 'also those that have ended'],
      ['--limit <count>', 'how many at most (default: 25)'],
    ],
    load: async () => (await import('./commands/positions.ts')).positions,
  },
  {
    usage: 'positions frozen',
    summary: 'positions that the keeper leaves alone until a person has looked at them, and why',
    options: [['--limit <count>', 'how many at most, oldest first (default: 25)']],
    load: async () => (await import('./commands/operator.ts')).frozen,
  },
  {
    usage: 'positions unfreeze <key>',
    summary: 'lets the keeper work on a position again that a person had to look at',
    load: async () => (await import('./commands/operator.ts')).unfreeze,
  },
  {
    usage: 'listen',
    summary: 'events as they come, one a line; resumes by itself',
    options: [
      asAccount,
      ['--after <id>', 'goes on after this event'],
      ['--partner', 'all positions of the partner'],
      ['--markets', 'markets instead of positions'],
      ['--count <count>', 'ends after so many'],
    ],
    load: async () => (await import('./commands/listen.ts')).listen,
  },
  {
    usage: 'clock advance <duration>',
    summary: 'moves chain, venue and service together: 90s, 30m, 2h, 1d',
    load: async () => (await import('./commands/simulator.ts')).advance,
  },
  {
    usage: 'scenario [name] [market]',
    summary: 'plays a scenario of the simulated venue; without words lists them',
    options: [['--params <json>', 'its parameters']],
    load: async () => (await import('./commands/simulator.ts')).scenario,
  },
  {
    usage: 'crash <market>',
    summary: 'lets the price of a side fall',
    options: [
      ['--side <side>', 'yes or no (default: yes)'],
      ['--by <usd>', 'by how much (default: 0.30)'],
    ],
    load: async () => (await import('./commands/simulator.ts')).crash,
  },
  {
    usage: 'resolve <market> <outcome>',
    summary: 'resolves a market: yes or no',
    load: async () => (await import('./commands/simulator.ts')).resolve,
  },
  {
    usage: 'keys issue <partner>',
    summary: 'a new API key; at most two are active',
    load: async () => (await import('./commands/operator.ts')).issueKey,
  },
  {
    usage: 'keys rotate <partner>',
    summary: 'a new API key, and the end of every other one',
    load: async () => (await import('./commands/operator.ts')).rotateKeys,
  },
  {
    usage: 'keys revoke <key>',
    summary: 'ends an API key, by its ID',
    load: async () => (await import('./commands/operator.ts')).revokeKey,
  },
  {
    usage: 'partners',
    summary: 'partners with their keys',
    load: async () => (await import('./commands/operator.ts')).partners,
  },
  {
    usage: 'oracles list',
    summary: 'oracles on whose markets nothing is quoted, and why',
    load: async () => (await import('./commands/operator.ts')).listOracles,
  },
  {
    usage: 'oracles resume <address>',
    summary: 'quotes again on the markets of an oracle',
    load: async () => (await import('./commands/operator.ts')).resumeOracle,
  },
  {
    usage: 'vault signers',
    summary: 'how many price signers there are and an order needs',
    load: async () => (await import('./commands/operator.ts')).vaultSigners,
  },
  {
    usage: 'migrate',
    summary: 'brings the database to this version',
    load: async () => (await import('./commands/operator.ts')).migrateDatabase,
  },
  {
    usage: 'reset',
    summary: 'deletes what the stopped local stack keeps',
    load: async () => (await import('./commands/reset.ts')).reset,
  },
];
