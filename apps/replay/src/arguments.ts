import { parseArgs } from 'node:util';
import type { FillTiming } from './life/fillTiming.ts';
import type { Choice } from './plan.ts';

export interface ReplayArguments extends Choice {
  /** Files of quotes, each with its catalogue. */
  readonly recordings: readonly { readonly quotes: string; readonly markets: string }[];
  readonly out: string;
}

const usage = `pnpm replay <quotes.csv>... --markets <markets.csv>...
  [--exit-seconds N] [--fill row|next|<seconds>] [--out docs/risk/report.md]
One --markets for each file of quotes, in the same order.`;

const defaultOut = 'docs/risk/report.md';

/** Parse the arguments of `replay`. @throws Error with a sentence for the user when they do not name what to replay. */
export function argumentsOf(args: readonly string[]): ReplayArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      markets: { type: 'string', multiple: true },
      'exit-seconds': { type: 'string' },
      fill: { type: 'string' },
      out: { type: 'string' },
    },
  });
  const markets = values.markets ?? [];
  if (positionals.length === 0 || positionals.length !== markets.length) {
    throw new Error(`every file of quotes needs one --markets\n${usage}`);
  }
  const recordings = positionals.flatMap((quotes, index) => {
    const catalogue = markets[index];
    return catalogue === undefined ? [] : [{ quotes, markets: catalogue }];
  });
  return {
    recordings,
    exitSeconds: values['exit-seconds'] === undefined ? null : secondsOf(values['exit-seconds'], '--exit-seconds'),
    timing: values.fill === undefined ? null : timingOf(values.fill),
    out: values.out ?? defaultOut,
  };
}

function timingOf(text: string): FillTiming {
  if (text === 'row') return { kind: 'row' };
  if (text === 'next') return { kind: 'next_row' };
  return { kind: 'seconds', seconds: secondsOf(text, '--fill'), jumpCents: null };
}

function secondsOf(text: string, option: string): number {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 1)
    throw new Error(`${option} needs whole seconds, not ${text}\n${usage}`);
  return seconds;
}
