import { createServer } from 'node:net';
import { FriendlyError } from '@core/runtime';

/** Ports in the order in which `LEV_PORT_BASE` numbers them. */
export const portNames = [
  'postgres',
  'chain',
  'venue',
  'api',
  'priceSigner',
  'metrics',
  'keeperMetrics',
  'secondPriceSigner',
  'console',
] as const;
export type PortName = (typeof portNames)[number];
export type Ports = Readonly<Record<PortName, number>>;

const usualPorts: Ports = {
  postgres: 54_320,
  chain: 8_545,
  venue: 8_090,
  api: 8_080,
  priceSigner: 8_070,
  metrics: 9_464,
  keeperMetrics: 9_465,
  secondPriceSigner: 8_071,
  console: 8_060,
};

/** How far a taken port may move before the start gives up. */
const maxMoves = 200;

export interface ChosenPorts {
  readonly ports: Ports;
  /** Ports that were taken, with where they moved. */
  readonly moved: readonly { readonly name: PortName; readonly from: number; readonly to: number }[];
}

/**
 * The ports of the last start where they are given, else the usual port of everything, or base + index; a taken one
 * moves to the next that is free.
 */
export async function choosePorts(portBase: number | null, kept: Ports | null = null): Promise<ChosenPorts> {
  const chosen: Record<PortName, number> = { ...usualPorts };
  const moved: { name: PortName; from: number; to: number }[] = [];
  const firstOf = (name: PortName) => (portBase === null ? usualPorts[name] : portBase + portNames.indexOf(name));
  const wantedOf = (name: PortName) => kept?.[name] ?? firstOf(name);
  // A port that moves never takes the place of another: one taken port must not move all the others.
  const used = new Set(portNames.map(wantedOf));
  for (const name of portNames) {
    const wanted = wantedOf(name);
    const port = await nextFreePort(wanted, used);
    used.add(port);
    chosen[name] = port;
    if (port !== wanted) moved.push({ name, from: wanted, to: port });
  }
  return { ports: chosen, moved };
}

async function nextFreePort(wanted: number, used: ReadonlySet<number>): Promise<number> {
  for (let port = wanted; port < wanted + maxMoves && port <= 65_535; port++) {
    if ((port === wanted || !used.has(port)) && (await isFree(port))) return port;
  }
  throw new FriendlyError(`No free port near ${wanted}: set LEV_PORT_BASE to another number and start again.`);
}

/** True when nothing listens on the port of the loopback address. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
