import { installEdge } from '../../src/runtime/installEdge.ts';
import { Program } from '../../src/runtime/program.ts';

interface ScenarioRequest {
  readonly databaseUrl: string;
  readonly name: string;
}

const { databaseUrl: realUrl, name }: ScenarioRequest = JSON.parse(process.argv[2] ?? '{}');
const edge = installEdge({ seed: 1, startMs: Date.parse('2026-11-26T18:05:00Z') });
const { scheduler, network } = edge;
// Instants at the server are those of its clients.
network.latency = () => 0;
// Loaded behind the edge: modules keep what they find.
const { default: pg } = await import('pg');
const { setTimeout: pause } = await import('node:timers/promises');
const { openDatabase } = await import('../../src/world/openDatabase.ts');
const { databaseUrl, postgres } = await openDatabase(edge, realUrl);
const setup = `CREATE TABLE counters (id int PRIMARY KEY, count int NOT NULL);
  INSERT INTO counters SELECT id, 0 FROM generate_series(1, 9) AS id;
  CREATE FUNCTION announce(text) RETURNS void LANGUAGE sql AS $$ SELECT pg_notify('news', $1) $$`;

export { databaseUrl, network, pause, postgres, scheduler };
export type Client = InstanceType<typeof pg.Client>;

const programs = new Map<string, Program>();

/** Connect as a program of the world. */
export async function connect(programName: string, url = databaseUrl): Promise<Client> {
  const program = programs.get(programName) ?? new Program(programName);
  programs.set(programName, program);
  return program.run(async () => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  });
}

/** End a program as SIGKILL does. */
export function kill(programName: string): void {
  const program = programs.get(programName);
  if (program === undefined) throw new Error(`no program ${programName}`);
  program.die();
  network.end(program);
}

/** End of a statement, and its virtual instant. */
export interface Outcome {
  readonly atMs: number;
  readonly code: string | null;
  readonly message?: string;
}

/** Wait for a statement, whatever becomes of it. */
export const outcomeOf = (work: Promise<unknown>): Promise<Outcome> =>
  work.then(
    () => ({ atMs: scheduler.elapsedMs, code: null }),
    (error: Error & { readonly code?: string }) => ({
      atMs: scheduler.elapsedMs,
      code: error.code ?? 'none',
      message: error.message,
    }),
  );

/** Stop the whole process in real time. */
export const stall = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Run the scenario that was asked for, and print its result. */
export async function runScenario(scenarios: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
  const scenario = scenarios[name];
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  await scheduler.settle('setup', () => postgres.query(setup), 0);
  edge.seal();
  const result = await scheduler.settle(name, scenario, 600_000);
  const report = { result, digest: scheduler.digest() };
  process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit());
}
