import { FriendlyError } from '@core/runtime';
import { settingTexts } from './env.ts';
import { freshCommand } from './stack/state/stateFolder.ts';

export interface StartArguments {
  readonly isFresh: boolean;
  readonly wantsHelp: boolean;
}

/** Options of `start`, for a reader. */
const optionTexts = {
  '--fresh': 'deletes what is kept (chain, venue, database, keys, positions) and begins anew',
  '--help': 'prints this and starts nothing',
} as const;

/** @throws FriendlyError that names an argument `start` does not know. */
export function parseStartArguments(given: readonly string[]): StartArguments {
  const unknown = given.find((argument) => argument !== '-h' && !Object.hasOwn(optionTexts, argument));
  if (unknown !== undefined) {
    const known = Object.keys(optionTexts).join(', ');
    throw new FriendlyError(`${unknown} is no option of start, which knows ${known}.`);
  }
  return { isFresh: given.includes('--fresh'), wantsHelp: given.includes('--help') || given.includes('-h') };
}

/** What `start --help` prints. */
export function startHelp(): string {
  const width = 16;
  const rows = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([name, text]) => `  ${name.padEnd(width)}${text}`).join('\n');
  const settings = Object.entries(settingTexts).map(
    ([name, { byDefault, text }]) => [name, `${text} (${byDefault})`.replaceAll('`', '')] as const,
  );
  return [
    'Usage: npx -y pnpm@12 start [options]',
    '',
    'Starts PostgreSQL, chain, contracts, venue, API, keeper and price signers on this machine, from where the last',
    `start left them. \`${freshCommand}\` begins anew; \`npx -y pnpm@12 reset\` deletes without starting.`,
    '',
    'Options',
    rows(Object.entries(optionTexts)),
    '',
    'Environment',
    rows(settings),
    '',
  ].join('\n');
}
