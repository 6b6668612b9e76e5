import { Command } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { type CommandRow, commandTable } from './commandTable.ts';

/** Call of a command, with its arguments and options. */
export interface Invocation {
  readonly row: CommandRow;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean>>;
}

interface Printer {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

const exitCodeHelp = `
Exit codes: 0 done, 1 bug, 2 usage, 3 refused, 4 credentials, 5 network, 6 outcome unknown, 7 a check failed

Environment: LEV_STATE_DIR (folder of the stack), LEV_API_URL and LEV_API_KEY (another service), DATABASE_URL`;

const examplesHelp = `
Examples:
  $ lev markets                                        open markets with prices and maximum leverage
  $ lev quote <ticker> --leverage 3 --notional 100     cost, liquidation price and payout of a position
  $ lev open <ticker> --leverage 3 --notional 100      open the position
  $ lev close <position> --min-price 0.40              sell it for at least 0.40 USD a token`;

/** Summaries of the command groups. */
const groupSummaries: Readonly<Record<string, string>> = {
  clock: 'clock of the local stack',
  keys: 'API keys of a partner',
  oracles: 'oracles that report payouts',
  vault: 'settings of the vault',
  venue: 'account at the venue',
};

/** Build the command line from the table. No command runs here: a call is passed to `onCall`. */
export function buildProgram({ out, err }: Printer, onCall: (invocation: Invocation) => void): Command {
  const program = new Command('lev')
    .description('The leveraged prediction-market service at a terminal')
    .version(manifest.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .showHelpAfterError('Run the command with --help for its arguments and options.')
    .addHelpText('after', examplesHelp)
    .addHelpText('after', exitCodeHelp)
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err });
  for (const row of commandTable) {
    const names = namesOf(row.usage);
    const command = commandOf(program, names);
    for (const argument of row.usage.split(' ').slice(names.length)) command.argument(argument);
    command.description(row.summary);
    for (const [flags, text] of row.options ?? []) command.option(flags, text);
    if (row.examples !== undefined) {
      command.addHelpText('after', ['\nExamples:', ...row.examples.map((line) => `  $ lev ${line}`)].join('\n'));
    }
    command
      .option('--json', 'print one JSON document, or one per line for streams')
      .option('--curl', 'print each request as a curl command to the error output')
      .action((...parameters: unknown[]) => {
        const args = parameters.slice(0, -2).filter((word) => typeof word === 'string');
        onCall({ row, args, options: command.opts() });
      });
  }
  program
    .command('completion <shell>')
    .description('print the completion script of a shell: zsh, bash, fish or powershell')
    .addHelpText('after', "\nThe script completes `lev`: alias lev='npx -y pnpm@12 lev'")
    .copyInheritedSettings(program);
  return program;
}

/**
 * Return the command group with this name, such as `keys`, or the program when there are no words. Null for a command
 * and for an unknown name.
 */
export function groupOf(program: Command, words: readonly string[]): Command | null {
  let group = program;
  for (const word of words) {
    const child = group.commands.find((command) => command.name() === word);
    if (child === undefined) return null;
    group = child;
  }
  const isCommand = commandTable.some(({ usage }) => namesOf(usage).join(' ') === words.join(' '));
  return isCommand ? null : group;
}

/** Return the words of a usage that name the command, without its arguments. */
export function namesOf(usage: string): readonly string[] {
  return usage.split(' ').filter((word) => /^[a-z]/.test(word));
}

/** Return the command with these words, creating its groups where they are missing. */
function commandOf(parent: Command, [name, ...rest]: readonly string[]): Command {
  if (name === undefined) return parent;
  const child =
    parent.commands.find((command) => command.name() === name) ??
    parent
      .command(name)
      .description(groupSummaries[name] ?? '')
      .copyInheritedSettings(parent);
  return commandOf(child, rest);
}
