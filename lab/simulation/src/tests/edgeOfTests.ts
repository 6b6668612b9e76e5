import type { Edge } from '../runtime/installEdge.ts';

let edgeOfWorker: Edge | null = null;

/** Keep the edge of this worker, which all its files share. */
export function keepEdge(edge: Edge): void {
  edgeOfWorker = edge;
}

/** True once the edge of this worker was replaced. */
export const hasEdge = (): boolean => edgeOfWorker !== null;

/**
 * Return the edge of this worker.
 * @throws Error in a process with real time.
 */
export function edgeOfTests(): Edge {
  if (edgeOfWorker === null) throw new Error('this process runs in real time');
  return edgeOfWorker;
}
