import { Gauge, type Registry } from 'prom-client';
import { FoundLimit } from './foundLimit.ts';
import type { BatchLimit } from './rpcBatches.ts';

/** Size of batches that a node takes. */
export interface NodeBatchSize {
  /** Host of the node. */
  readonly node: string;
  readonly callCount: number;
}

/** Calls in one request to a node that is not known yet. */
const largestBatch = 1_000;
const raiseMs = 3_600_000;

/** Sizes of this process, by the address of the node: every client of a node uses the same. */
const limits = new Map<string, FoundLimit>();
const reports = new Set<(size: NodeBatchSize) => void>();

const hostOf = (rpcUrl: string): string => new URL(rpcUrl).host;

/** Return the size of batches to a node, which all clients of this process share. */
export function batchLimitOf(rpcUrl: string): BatchLimit {
  const limit = limits.get(rpcUrl) ?? new FoundLimit({ largest: largestBatch, raiseMs });
  limits.set(rpcUrl, limit);
  return {
    get size() {
      return limit.size;
    },
    lower: (callCount) => {
      if (!limit.lower(callCount)) return;
      for (const report of reports) report({ node: hostOf(rpcUrl), callCount });
    },
  };
}

/** Report each change to smaller batches. */
export function onSmallerBatches(report: (size: NodeBatchSize) => void): void {
  reports.add(report);
}

/** Register the size of batches to each node. */
export function watchBatchSizes(registry: Registry): void {
  const sizes: Gauge<'node'> = new Gauge({
    name: 'rpc_batch_calls',
    help: 'Calls that one request to a node has at most, by the host of the node: the node refuses more.',
    labelNames: ['node'],
    registers: [registry],
    collect: () => {
      sizes.reset();
      for (const [rpcUrl, { size }] of limits) sizes.set({ node: hostOf(rpcUrl) }, size);
    },
  });
}
