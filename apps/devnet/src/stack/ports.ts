import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { FriendlyError, isRefusedByFetch } from '@core/runtime';

/** Ports in the order of `LEV_PORT_BASE`. */
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
  'fillerMetrics',
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
  fillerMetrics: 9_466,
};

/** Distance by which a taken port may move before the start fails. */
const maxMoves = 200;

export interface ChosenPorts {
  readonly ports: Ports;
  /** Ports that are taken or that `fetch` refuses, and their replacements. */
  readonly moved: readonly { readonly name: PortName; readonly from: number; readonly to: number }[];
}

/** Longest wait for ports of the last start: its programs may still be ending. */
const lastPortsPatienceMs = 3_000;
const pollMs = 50;

/**
 * Choose the ports of the last start if given, else the default ports, or base + index. A taken port of the last start
 * is awaited briefly; one that stays taken, or that `fetch` refuses, moves to the next free port.
 */
export async function choosePorts(portBase: number | null, lastPorts: Ports | null = null): Promise<ChosenPorts> {
  const chosen: Record<PortName, number> = { ...usualPorts };
  const moved: { name: PortName; from: number; to: number }[] = [];
  const firstOf = (name: PortName) => (portBase === null ? usualPorts[name] : portBase + portNames.indexOf(name));
  const wantedOf = (name: PortName) => lastPorts?.[name] ?? firstOf(name);
  // A moved port never takes that of another program: one taken port must not move all.
  const used = new Set(portNames.map(wantedOf));
  if (lastPorts !== null) await untilFree(Object.values(lastPorts));
  for (const name of portNames) {
    const firstChoice = wantedOf(name);
    const port = await nextFreePort(firstChoice, used);
    used.add(port);
    chosen[name] = port;
    if (port !== firstChoice) moved.push({ name, from: firstChoice, to: port });
  }
  return { ports: chosen, moved };
}

async function untilFree(ports: readonly number[]): Promise<void> {
  const endMs = Date.now() + lastPortsPatienceMs;
  for (const port of ports) {
    while (!(await isFree(port)) && Date.now() < endMs) await delay(pollMs);
  }
}

async function nextFreePort(wanted: number, used: ReadonlySet<number>): Promise<number> {
  for (let port = wanted; port < wanted + maxMoves && port <= 65_535; port++) {
    if ((port === wanted || !used.has(port)) && !isRefusedByFetch(port) && (await isFree(port))) return port;
  }
  throw new FriendlyError(`No free port near ${wanted}: set LEV_PORT_BASE to another number and start again.`);
}

/** Return true when nothing listens on the port of the loopback address. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
