import { installEdge } from '../../src/runtime/installEdge.ts';

const limitMs = 600_000;
const { seed }: { readonly seed: number } = JSON.parse(process.argv[2] ?? '');
const edge = installEdge({ seed, startMs: Date.parse('2026-11-26T18:05:00Z') });

// Loaded behind the edge: modules keep what they find.
const { openProvider } = await import('@core/contracts/local');
const { scenarios } = await import('./scenarios/scenarios.ts');
const providers = [];
const initialDate = new Date();
for (const _ of scenarios)
  providers.push(await openProvider({ initialDate, mining: { isInstant: true, intervalMs: 0 } }));
edge.seal();
const results: Record<string, unknown> = {};
for (const [index, scenario] of scenarios.entries()) {
  const provider = providers[index];
  if (provider === undefined) throw new Error('a scenario without an EVM');
  try {
    results[scenario.name] = await edge.scheduler.settle(scenario.name, () => scenario({ edge, provider }), limitMs);
  } catch (error) {
    results[scenario.name] = { failure: error instanceof Error ? error.stack : String(error) };
  }
}
const output = JSON.stringify({ digest: edge.scheduler.digest(), results });
process.stdout.write(output, () => process.exit());
