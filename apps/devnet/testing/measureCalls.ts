import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ApiClient, ApiRefusal } from '../src/demo/clients/apiClient.ts';
import { Wallet } from '../src/demo/clients/wallet.ts';
import { StepPrinter } from '../src/demo/stepPrinter.ts';
import { bestCandidate } from '../src/demo/steps/candidates.ts';
import { openPosition } from '../src/demo/steps/openPosition.ts';
import { PositionCancelled } from '../src/demo/steps/waitForStatus.ts';
import { type PortName, portNames } from '../src/stack/ports.ts';
import type { StackFile } from '../src/stack/state/stackFile.ts';
import { RunningStack } from './runningStack.ts';

// Usage: pnpm bench node-calls, or node apps/devnet/testing/measureCalls.ts [--positions 20] [--seconds 90].
// Counts the calls of each program to its node, by method, on a chain with a block every two seconds: idle, and with
// open positions.
const { values } = parseArgs({
  options: { positions: { type: 'string', default: '20' }, seconds: { type: 'string', default: '90' } },
});
const [positionCount, seconds] = [Number(values.positions), Number(values.seconds)];
/** Outcomes are registered, and positions settle down, before anything is counted. */
const settleMs = 90_000;
const secondsOfDay = 86_400;

const programs: readonly (readonly [string, PortName])[] = [
  ['API', 'metrics'],
  ['keeper', 'keeperMetrics'],
  ['filler', 'fillerMetrics'],
  ['price signer', 'priceSigner'],
  ['price signer', 'secondPriceSigner'],
];
const note = (text: string): void => void process.stdout.write(`${text}\n`);

/** Return the calls of a program so far, by method. */
async function callsAt(port: number): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const lines = text.matchAll(/^rpc_calls_total\{method="(\w+)"\} (\d+)/gm);
  return new Map(Array.from(lines, ([, method = '', count]) => [method, Number(count)]));
}

/** Print the calls of a window as a table, the most frequent method first. */
async function measure(title: string, portBase: number): Promise<void> {
  const ports = programs.map(([, name]) => portBase + portNames.indexOf(name));
  const before = await Promise.all(ports.map(callsAt));
  const startMs = performance.now();
  await delay(seconds * 1_000);
  const after = await Promise.all(ports.map(callsAt));
  const windowSeconds = (performance.now() - startMs) / 1_000;
  note(
    `\n${title}, ${Math.round(windowSeconds)} s\n\n| program | calls a second | a day | by method |\n|---|---|---|---|`,
  );
  let total = 0;
  const rowOf = (name: string, count: number, methods: string): string =>
    `| ${name} | ${(count / windowSeconds).toFixed(2)} | ${Math.round((count / windowSeconds) * secondsOfDay)} | ${methods} |`;
  for (const [index, [name]] of programs.entries()) {
    const counts = [...(after[index] ?? [])]
      .map(([method, count]) => ({ method, count: count - (before[index]?.get(method) ?? 0) }))
      .filter(({ count }) => count > 0)
      .toSorted((left, right) => right.count - left.count);
    const sum = counts.reduce((partial, { count }) => partial + count, 0);
    total += sum;
    const methods = counts.map(({ method, count }) => `${method} ${(count / windowSeconds).toFixed(2)}`);
    note(rowOf(name, sum, methods.join(', ')));
  }
  note(rowOf('all', total, ''));
}

/** Open positions in daily markets of crypto prices, in turn of the users; return the number that opened. */
async function openPositions(stack: StackFile): Promise<number> {
  const printer = new StepPrinter(() => undefined);
  const api = new ApiClient(stack, printer);
  const driver = { api, printer, contractInfo: await api.contractInfo() };
  const query = { category: 'crypto', accepting_new_positions: 'true', expand: 'prices', limit: '100' };
  let openCount = 0;
  for (let attempt = 0; openCount < positionCount && attempt < 2 * positionCount; attempt += 1) {
    const candidate = bestCandidate(await api.markets(query), { nearPips: 5_000, isWanted: () => true }, new Set());
    if (candidate === null) continue;
    const plan = {
      marketTicker: candidate.market.ticker,
      side: candidate.side,
      leverageBps: 20_000,
      notionalUsdPips: '300000',
    };
    try {
      await openPosition(driver, new Wallet(stack, attempt % 2 === 0 ? 'alice' : 'bob', printer), plan);
      openCount += 1;
    } catch (error) {
      // A price left the range of the quote, or nothing filled: another quote is taken.
      if (!(error instanceof PositionCancelled) && !(error instanceof ApiRefusal)) throw error;
    }
  }
  return openCount;
}

const running = new RunningStack();
try {
  const stack = await running.start(['--pace', '2s']);
  await delay(settleMs);
  const { length: marketCount } = await new ApiClient(stack, new StepPrinter(() => undefined)).markets({
    limit: '100',
  });
  await measure(`idle, ${marketCount} markets`, running.portBase);
  const openCount = await openPositions(stack);
  await delay(settleMs);
  await measure(`${openCount} positions opened`, running.portBase);
} finally {
  await running.remove();
}
