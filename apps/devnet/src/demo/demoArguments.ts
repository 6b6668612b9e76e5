import { parseArgs } from 'node:util';
import { FriendlyError } from '@core/runtime';

export interface DemoArguments {
  /** File that the running stack wrote. */
  readonly stackFile: string | null;
  /** True to play the repayment before a market's end too, which moves the clock of the stack by up to two hours. */
  readonly hasHardExit: boolean;
  /** Recorded quotes for a fifth position. */
  readonly replay: { readonly csvFile: string; readonly marketId: string | null } | null;
}

/** Parse `--stack <file>`, `--hard-exit`, `--replay <csv> [--market <id>]`. @throws FriendlyError for anything else. */
export function readArguments(args: readonly string[]): DemoArguments {
  try {
    const { values } = parseArgs({
      // A package manager may pass the separator itself.
      args: args.filter((arg) => arg !== '--'),
      options: {
        stack: { type: 'string' },
        'hard-exit': { type: 'boolean', default: false },
        replay: { type: 'string' },
        market: { type: 'string' },
      },
    });
    const { stack, replay, market } = values;
    if (market !== undefined && replay === undefined) throw new TypeError('--market needs --replay <csv>');
    return {
      stackFile: stack ?? null,
      hasHardExit: values['hard-exit'],
      replay: replay === undefined ? null : { csvFile: replay, marketId: market ?? null },
    };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new FriendlyError(`${problem}. Use: demo [--stack <file>] [--hard-exit] [--replay <csv> [--market <id>]]`);
  }
}
