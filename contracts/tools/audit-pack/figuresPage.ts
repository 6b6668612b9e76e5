import type { RunStamp } from '../project/runStamp.ts';
import type { CampaignCounts } from './campaign.ts';
import { gasBars } from './gasBars.ts';

/** Limit of a contract's runtime code on Ethereum (EIP-170). */
export const maxRuntimeBytes = 24_576;

/** Contents of the page of figures. */
export interface Figures {
  /** Transaction → gas, decimal text. */
  readonly gas: Readonly<Record<string, string>>;
  /** Contract → bytes of runtime code. */
  readonly sizes: Readonly<Record<string, number>>;
  readonly campaign: CampaignCounts;
  /** The contracts and tests of the page. */
  readonly stamp: Omit<RunStamp, 'date'>;
  readonly longRunRows: readonly string[];
}

export function figuresPage({ gas, sizes, campaign, stamp, longRunRows }: Figures): string {
  const shown = (figure: number | undefined) => figure?.toLocaleString('en-US') ?? '';
  const gasRows = Object.entries(gas)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, used]) => {
      const { bar, before, prototype, anchor = '' } = gasBars[name] ?? {};
      return `| ${name} | ${shown(Number(used))} | ${shown(bar)} | ${shown(before)} | ${shown(prototype)} | ${anchor} |`;
    });
  const sizeRows = Object.entries(sizes).map(
    ([name, bytes]) => `| ${name} | ${shown(bytes)} | ${shown(maxRuntimeBytes - bytes)} |`,
  );
  return [
    '# Figures',
    '',
    'Written by `pnpm --filter @core/contracts figures`; do not edit.',
    '',
    '## Gas of whole transactions',
    '',
    'Measured with the shipped settings, each transaction by itself, on the first position of an outcome, its user holding',
    'USDC unless the row says otherwise: the first unit an address holds costs about 17,100 more, which no bar counts.',
    '',
    '| transaction | gas | bar | first vault | prototype | published figure of a comparable step |',
    '|---|---|---|---|---|---|',
    ...gasRows,
    '',
    'Every call that measures and pays goes through a linked library, a cold call of 2,600 gas and its arguments; every',
    'authorisation checks two signatures and asks the exchange for its highest fee. The bars of an authorisation (255,000',
    'and 125,000 before) and of an opening (120,000) are higher by that; the first vault, in one contract and with one',
    'signature, is beside them. Rows that begin with `wrapped` have the layout of the deployed venue: an upgradeable',
    'collateral that wraps the collateral of the token ids, and an adapter that redeems. Rows that begin with `managed` are',
    'on the second ledger, whose four contracts stand behind proxies; its twins are not the optimised code of the venue. A',
    'request to leave escrows its shares and notes their worth, which it did not.',
    '',
    'A `fill` is the last of its grant, within its price path, with the finalization inside: beside `authorizeGrant` it stands',
    'for the match of the venue and `finalize` together.',
    '',
    'Three calls of users take more than the prototype did, each for a promise it did not keep: `requestClose` refuses parts',
    'and remainders no order could serve, `addMargin` is divided and booked like every other payment, `claim` repays the pool',
    'before the user and hands out tokens that an ending left behind.',
    '',
    '## Runtime size',
    '',
    '| contract | bytes | bytes left |',
    '|---|---|---|',
    ...sizeRows,
    '',
    '## Campaign',
    '',
    `The stateful campaign draws from ${campaign.actions} actions, whole scenarios among them. One of its tests draws until each of`,
    `${campaign.deeds} kinds of event has occurred and each of the ${campaign.moves} legal moves of a position was made.`,
    '',
    '## Long runs',
    '',
    `The contracts of this page have the digest \`${stamp.codeDigest}\`, their Solidity tests the digest`,
    `\`${stamp.testsDigest}\`: SHA-256 of the files without comments, first 16 digits. A run`,
    'of other contracts proves nothing about these until its command is run again; what a test says that is newer than the run, the run does not say.',
    '',
    '| run | script | made on | of |',
    '|---|---|---|---|',
    ...longRunRows,
    '',
  ].join('\n');
}
