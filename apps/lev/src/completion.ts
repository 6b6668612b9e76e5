import { setTimeout as delay } from 'node:timers/promises';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { namesOf } from './buildProgram.ts';
import { commandTable } from './commandTable.ts';
import { type Context, openContext } from './context.ts';
import type { Host } from './host.ts';
import { listUpTo } from './listed.ts';

/** Name under which the library prints a script; users type `completion`. */
const scriptCommand = 'completion-script';
/** Maximum time for which a shell waits for values; after it there are none. */
const patienceMs = 2_000;
const maxValues = 200;

type Value = readonly [text: string, description: string];

/** Function of the package bash-completion that the script calls, for shells without that package. */
const bashWords = `declare -F _get_comp_words_by_ref >/dev/null || _get_comp_words_by_ref() {
  words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
}
`;

/** Readers of the values of arguments and options for a begun word, by the names of the command table. */
const readers: Readonly<Record<string, (context: Context, word: string) => Promise<readonly Value[]>>> = {
  ticker: async (context) => {
    const { items } = await listUpTo(context.lev().markets.list({ limit: 100 }), maxValues);
    return items.map(({ ticker, title }) => [ticker, title ?? '']);
  },
  position: async (context, word) => {
    const { items } = await listUpTo(context.user().positions.list({ limit: 100, state: 'active' }), maxValues);
    return items.map((one) => [
      word.startsWith('0x') ? one.on_chain_position_key : one.id,
      `${one.market_ticker} ${one.effective_side}, ${one.status}`,
    ]);
  },
  as: async (context) => context.stack().accounts.map(({ name, address }) => [name, address]),
};

/**
 * Print a shell's completion script (`completion <shell>`), or the completions it requests (`complete -- …`): commands,
 * options, tickers of markets, active positions by ID, or by key after `0x`, and names of accounts.
 */
export async function complete(program: Command, words: readonly string[], host: Host): Promise<void> {
  const [name, ...rest] = words;
  const root = tab(program, { completionCommandName: scriptCommand });
  const typedName = nameCompletedBy(rest.slice(1));
  const values =
    typedName === null ? [] : await valuesOf(typedName, { host, account: accountIn(rest), word: rest.at(-1) ?? '' });
  for (const command of root.commands.values()) {
    const place = typedName === 'as' ? command.options.get('as') : command.arguments.get(typedName ?? '');
    if (place === undefined) continue;
    place.handler = (suggest) => {
      for (const [text, description] of values) suggest(text, description);
    };
  }
  if (name === 'completion' && rest[0] === 'bash') host.out(bashWords);
  await program.parseAsync([name === 'completion' ? scriptCommand : 'complete', ...rest], { from: 'user' });
}

/** Return the name of the argument or option that the last word is a value of; null for another word. */
function nameCompletedBy(typed: readonly string[]): string | null {
  if (typed.at(-2) === '--as') return 'as';
  const row = commandTable
    .map(({ usage }) => usage)
    .filter((usage) => namesOf(usage).every((word, index) => typed[index] === word))
    .toSorted((left, right) => namesOf(right).length - namesOf(left).length)[0];
  const argument = /[<[](?<name>\w+)/.exec(row ?? '')?.groups?.['name'];
  return argument !== undefined && argument in readers ? argument : null;
}

function accountIn(words: readonly string[]): string | null {
  const index = words.indexOf('--as');
  return index < 0 ? null : (words[index + 1] ?? null);
}

/** Return the values of a name. A service that cannot be asked has none: a completion prints no error. */
async function valuesOf(
  name: string,
  { host, account, word }: { readonly host: Host; readonly account: string | null; readonly word: string },
): Promise<readonly Value[]> {
  const context = openContext(host, account === null || account === '' ? {} : { as: account });
  const none: readonly Value[] = [];
  const read = async () => (await readers[name]?.(context, word)) ?? none;
  const values = await Promise.race([read().catch(() => none), delay(patienceMs, none, { ref: false })]);
  await context.close();
  return values;
}
