import type { VenueSim } from '../src/startVenueSim.ts';

export interface Answer {
  readonly status: number;
  readonly body: ReturnType<typeof JSON.parse>;
}

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
};

/** Read a path of the simulator. */
export const read = async (sim: VenueSim, path: string): Promise<Answer> => answerOf(await fetch(`${sim.url}${path}`));

/** Send JSON to a path of the simulator. */
export const send = async (sim: VenueSim, path: string, body: unknown): Promise<Answer> =>
  answerOf(
    await fetch(`${sim.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );

/** Send a CSV. */
export const sendCsv = async (sim: VenueSim, path: string, csv: string): Promise<Answer> =>
  answerOf(await fetch(`${sim.url}${path}`, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: csv }));

/** Run a scenario and expect success. */
export async function play(
  sim: VenueSim,
  name: string,
  { market, params = {} }: { readonly market?: string; readonly params?: Record<string, unknown> } = {},
): Promise<Answer['body']> {
  const answer = await send(sim, '/control/scenarios', { name, ...(market === undefined ? {} : { market }), params });
  if (answer.status !== 200) throw new Error(`${name}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Timeout that only a hanging test reaches, even with other packages' tests on the same cores. */
const timeoutMs = 40_000;

/** Poll until the response matches, and return the last response after the timeout. */
export async function eventually<Value>(
  ask: () => Promise<Value> | Value,
  isExpected: (value: Value) => boolean,
): Promise<Value> {
  const deadlineMs = Date.now() + timeoutMs;
  for (;;) {
    const value = await ask();
    if (isExpected(value) || Date.now() > deadlineMs) return value;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
