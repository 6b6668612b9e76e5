import { Counter, type Registry } from 'prom-client';

/** Calls of this process to nodes, by method. */
const callCounts = new Map<string, number>();

/** Count one call, also of a batch and of a repeat: providers charge each. */
export function countRpcCall(method: string): void {
  callCounts.set(method, (callCounts.get(method) ?? 0) + 1);
}

/** Register the counts of all calls since the start of the process. */
export function watchRpcCalls(registry: Registry): void {
  const calls: Counter<'method'> = new Counter({
    name: 'rpc_calls_total',
    help: 'Calls to nodes of the chain, by method. Each call of a batch counts, and each repeat.',
    labelNames: ['method'],
    registers: [registry],
    collect: () => {
      calls.reset();
      for (const [method, count] of callCounts) calls.inc({ method }, count);
    },
  });
}
