import { Gauge, type Registry } from 'prom-client';
import type { NodeHealth } from './nodeHealth.ts';

type Watched = Pick<NodeHealth, 'state'>;

/** Return the nodes of a program as its `/readyz` shows them. */
export function presentNodes({ state: { count, answeringCount, serving } }: Watched) {
  return { count, answering: answeringCount, serving };
}

/** Register the state of the nodes of a program. */
export function watchNodes(registry: Registry, health: Watched): void {
  const figures = [
    ['chain_nodes', 'Nodes of the chain in the settings of this program.', () => health.state.count],
    [
      'chain_nodes_answering',
      'Nodes that neither failed nor were behind when last asked; 0 while the program has none.',
      () => health.state.answeringCount,
    ],
    [
      'chain_node_serving',
      'Place of the node that serves, from 1 in the order of the settings; above 1 it is a spare one, 0 is none.',
      () => health.state.serving,
    ],
  ] as const;
  for (const [name, help, read] of figures) {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
  }
}
