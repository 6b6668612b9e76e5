import { parseArgs } from 'node:util';
import { type Route, routeNames } from '@core/policy';
import type { FillTiming } from './life/fillTiming.ts';
import type { Choice } from './plan.ts';

export interface ReplayArguments extends Choice {
  /** Files of quotes, each with its catalogue. */
  readonly recordings: readonly { readonly quotes: string; readonly markets: string }[];
  readonly out: string;
}

const usage = `pnpm replay <quotes.csv>... --markets <markets.csv>...
  [--route fill|direct] [--every N] [--exit-seconds N] [--fill row|next|<seconds>] [--out docs/risk/report.md]
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
      route: { type: 'string' },
      every: { type: 'string' },
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
    entryEvery: values.every === undefined ? null : wholeOf(values.every, '--every'),
    exitSeconds: values['exit-seconds'] === undefined ? null : wholeOf(values['exit-seconds'], '--exit-seconds'),
    route: values.route === undefined ? null : routeOf(values.route),
    timing: values.fill === undefined ? null : timingOf(values.fill),
    out: values.out ?? defaultOut,
  };
}

function routeOf(text: string): Route {
  const route = routeNames.find((name) => name === text);
  if (route === undefined)
    throw new Error(`--route needs ${routeNames.toReversed().join(' or ')}, not ${text}\n${usage}`);
  return route;
}

function timingOf(text: string): FillTiming {
  if (text === 'row') return { kind: 'row' };
  if (text === 'next') return { kind: 'next_row' };
  return { kind: 'seconds', seconds: wholeOf(text, '--fill'), jumpCents: null };
}

function wholeOf(text: string, option: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new Error(`${option} needs a whole number above 0, not ${text}\n${usage}`);
  return count;
}
