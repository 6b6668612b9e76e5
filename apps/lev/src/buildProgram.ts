import { Command } from 'commander';
import { type CommandRow, commandTable } from './commandTable.ts';

/** A command as it was called. */
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

/** The command line of the table; nothing is done here but reading the words. */
export function buildProgram({ out, err }: Printer, called: (invocation: Invocation) => void): Command {
  const program = new Command('lev')
    .description('The leveraged prediction-market service at a terminal')
    .addHelpText('after', exitCodeHelp)
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err });
  for (const row of commandTable) {
    const words = row.usage.split(' ');
    const names = words.filter((word) => /^[a-z]/.test(word));
    const command = commandOf(program, names);
    for (const argument of words.slice(names.length)) command.argument(argument);
    command.description(row.summary);
    for (const [flags, text] of row.options ?? []) command.option(flags, text);
    command
      .option('--json', 'prints exactly one JSON document, one a line for streams')
      .option('--curl', 'prints each request as a curl command to the error output')
      .action((...given: unknown[]) => {
        const args = given.slice(0, -2).filter((word) => typeof word === 'string');
        called({ row, args, options: command.opts() });
      });
  }
  return program;
}

/** The command under these words, made where it is missing. */
function commandOf(parent: Command, [name, ...rest]: readonly string[]): Command {
  if (name === undefined) return parent;
  const found =
    parent.commands.find((command) => command.name() === name) ?? parent.command(name).copyInheritedSettings(parent);
  return commandOf(found, rest);
}
