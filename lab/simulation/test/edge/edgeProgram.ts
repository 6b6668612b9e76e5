import { installEdge } from '../../src/runtime/installEdge.ts';

const [seed = '1'] = process.argv.slice(2);
const edge = installEdge({ seed: Number(seed), startMs: Date.parse('2026-11-26T18:05:00Z') });
// Loaded behind the edge, as the modules of a world are.
const { scenarios } = await import('./scenarios.ts');
edge.seal();
const results: Record<string, unknown> = {};
for (const [name, scenario] of Object.entries(scenarios)) {
  results[name] = await edge.scheduler.settle(name, () => scenario(edge), 100 * 3_600_000);
}
process.stdout.write(JSON.stringify({ ...results, digest: edge.scheduler.digest() }), () => process.exit());
