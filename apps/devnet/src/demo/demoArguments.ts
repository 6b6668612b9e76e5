import { parseArgs } from 'node:util';
import { FriendlyError } from '@core/runtime';

export interface DemoArguments {
  /** File the running stack has written. */
  readonly stackFile: string | null;
  /** Recorded quotes to open a fifth position on. */
  readonly replay: { readonly csvFile: string; readonly marketId: string | null } | null;
}

/** `--stack <file>`, `--replay <csv> [--market <id>]`. @throws FriendlyError for anything else. */
export function readArguments(args: readonly string[]): DemoArguments {
  try {
    const { values } = parseArgs({
      // A package manager may hand over the separator itself.
      args: args.filter((arg) => arg !== '--'),
      options: { stack: { type: 'string' }, replay: { type: 'string' }, market: { type: 'string' } },
    });
    const { stack, replay, market } = values;
    if (market !== undefined && replay === undefined) throw new TypeError('--market needs --replay <csv>');
    return {
      stackFile: stack ?? null,
      replay: replay === undefined ? null : { csvFile: replay, marketId: market ?? null },
    };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new FriendlyError(`${problem}. Use: demo [--stack <file>] [--replay <csv> [--market <id>]]`);
  }
}
