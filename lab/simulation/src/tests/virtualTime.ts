// A setup file of vitest: the tests of its worker, and all programs that they start in its process, run under virtual
// time. It passes as fast as the processor allows, while a test waits as well as between two tests.
import { registerHooks } from 'node:module';
import { installEdge } from '../runtime/installEdge.ts';
import { realDelay } from '../runtime/realTime.ts';
import { edgeOfTests, hasEdge, keepEdge } from './edgeOfTests.ts';

/** Virtual start: an hour and a quarter have just begun, and no market day ends for hours. */
const startMs = Date.parse('2026-11-26T18:04:00Z');
/** The chain of tests, and the one that stands for it. */
const realChain = '/contracts/local/startLocalChain.ts';
const virtualChain = new URL('./localChain.ts', import.meta.url).href;

async function begin(): Promise<void> {
  const databaseUrl = process.env['TEST_DATABASE_URL'];
  if (databaseUrl === undefined) throw new Error('tests under virtual time need the server of a global setup');
  const edge = installEdge({ seed: 1, startMs });
  const { scheduler, network } = edge;
  keepEdge(edge);
  // Loaded behind the edge: modules keep what they find.
  const { loadLateModules } = await import('../world/loadLateModules.ts');
  const { Postgres } = await import('../outside/postgres/postgres.ts');
  await loadLateModules();
  const template = new URL(databaseUrl);
  template.pathname = `/${process.env['TEST_DATABASE_TEMPLATE'] ?? ''}`;
  await Postgres.prepare(template.href);
  await Postgres.open({ scheduler, network, databaseUrl, port: Number(new URL(databaseUrl).port) });
  registerHooks({
    resolve: (specifier, context, next) => {
      const module = next(specifier, context);
      return module.url.endsWith(realChain) ? { ...module, url: virtualChain } : module;
    },
  });
  void runForEver();
}

async function runForEver(): Promise<never> {
  for (;;) {
    await edgeOfTests().scheduler.run(() => false);
    // Nothing is due: the runner may give new work.
    await realDelay(1);
  }
}

// Files of one worker share its edge.
if (!hasEdge()) await begin();
