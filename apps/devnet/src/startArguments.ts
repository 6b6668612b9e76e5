import { type Route, routeNames } from '@core/policy';
import { FriendlyError } from '@core/runtime';
import { settingTexts } from './env.ts';
import { freshCommand } from './stack/state/stateFolder.ts';

export interface StartArguments {
  readonly isFresh: boolean;
  readonly wantsHelp: boolean;
  /** Null without the option. */
  readonly route: Route | null;
  /** Seconds from one block to the next; 0 for a chain that mines at once. */
  readonly paceSeconds: number;
}

/** Descriptions of the options of `start`. */
const optionTexts = {
  '--fresh': 'delete the stored state (chain, venue, database, keys, positions) and start from scratch',
  '--route': 'with `fill` or `direct` behind it, instead of ROUTE; `fill` starts a filler beside the stack',
  '--pace': 'with seconds behind it, such as `2s`: a block comes at that pace, and not with each transaction',
  '--help': 'print this help',
} as const;

/** Parse the arguments of `start`. @throws FriendlyError that names an unknown argument. */
export function parseStartArguments(given: readonly string[]): StartArguments {
  const textOf = (option: string): string | null => {
    const index = given.indexOf(option);
    return index < 0 ? null : (given[index + 1] ?? '');
  };
  const routeText = textOf('--route');
  const route = routeNames.find((name) => name === routeText) ?? null;
  if (routeText !== null && route === null) {
    throw new FriendlyError(`--route takes ${routeNames.toReversed().join(' or ')}.`);
  }
  const paceText = textOf('--pace');
  const pace = /^(?<seconds>\d{1,2})s$/.exec(paceText ?? '0s')?.groups?.['seconds'];
  if (pace === undefined) throw new FriendlyError('--pace takes whole seconds up to 99, such as 2s.');
  const isValue = (index: number): boolean => ['--route', '--pace'].includes(given[index - 1] ?? '');
  const unknown = given.find(
    // pnpm leaves the two hyphens that separate its own options.
    (argument, index) => !isValue(index) && !['-h', '--'].includes(argument) && !Object.hasOwn(optionTexts, argument),
  );
  if (unknown !== undefined) {
    const options = Object.keys(optionTexts).join(', ');
    throw new FriendlyError(`${unknown} is no option of start. Options: ${options}.`);
  }
  return {
    isFresh: given.includes('--fresh'),
    wantsHelp: given.includes('--help') || given.includes('-h'),
    route,
    paceSeconds: Number(pace),
  };
}

/** Return the text of `start --help`. */
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
    'Start PostgreSQL, chain, contracts, venue, API, keeper and price signers on this machine and resume their stored',
    `state. \`${freshCommand}\` starts from scratch; \`npx -y pnpm@12 reset\` deletes the state.`,
    '',
    'Options',
    rows(Object.entries(optionTexts).map(([name, text]) => [name, text.replaceAll('`', '')] as const)),
    '',
    'Environment',
    rows(settings),
    '',
  ].join('\n');
}
