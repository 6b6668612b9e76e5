import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { batchLimitOf, type NodeBatchSize, onSmallerBatches, watchBatchSizes } from './nodeSizes.ts';

test('sizes of batches: clients of a node share one, each change is reported once, and the metric has no key', async () => {
  const rpcUrl = 'https://rpc.example/v2/hunter22hunter22';
  const reports: NodeBatchSize[] = [];
  onSmallerBatches((size) => reports.push(size));
  const [first, second, other] = [rpcUrl, rpcUrl, `${rpcUrl}x`].map(batchLimitOf);
  first?.lower(65);
  second?.lower(65);
  expect([first?.size, second?.size, other?.size]).toEqual([65, 65, 1_000]);
  expect(reports).toEqual([{ node: 'rpc.example', callCount: 65 }]);
  const registry = new Registry();
  watchBatchSizes(registry);
  const text = await registry.metrics();
  expect(text).toContain('rpc_batch_calls{node="rpc.example"}');
  expect(text).not.toContain('hunter22');
});
