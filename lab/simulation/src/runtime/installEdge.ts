import { syncBuiltinESMExports } from 'node:module';
import { installSockets } from './installSockets.ts';
import { watchLeaks } from './leakWatch.ts';
import { ThreadWork } from './nativeWork.ts';
import { separateAgents } from './programAgents.ts';
import { Random } from './random.ts';
import './realSocket.ts';
import { Scheduler } from './scheduler.ts';
import { installClock } from './virtualClock.ts';
import { installHttpDate } from './virtualHttpDate.ts';
import { VirtualNetwork } from './virtualNetwork.ts';
import { installRandomness } from './virtualRandomness.ts';
import { installTimers } from './virtualTimers.ts';

/** Node's edge of one process, replaced by a simulated one for good. */
export interface Edge {
  readonly seed: number;
  readonly scheduler: Scheduler;
  readonly network: VirtualNetwork;
  readonly threads: ThreadWork;
  /** Return an independent stream of random numbers. */
  readonly random: (stream: string) => Random;
  /** End the run at the first thing that waits for the real world; called once all modules are loaded. */
  readonly seal: () => void;
}

/**
 * Replace clocks, timers, randomness, sockets and servers of this process. Modules that keep one of them must be loaded
 * afterwards.
 * @param options.startMs Virtual instant of the start, in milliseconds of the epoch.
 */
export function installEdge(options: {
  readonly seed: number;
  readonly startMs: number;
  readonly trace?: (line: string) => void;
}): Edge {
  const { seed } = options;
  const threads = new ThreadWork();
  const scheduler = new Scheduler({ ...options, native: threads });
  const random = (stream: string): Random => new Random(seed, stream);
  const network = new VirtualNetwork(scheduler, random('latency'));
  threads.install();
  installClock(scheduler);
  installTimers(scheduler);
  installRandomness(random('programs'));
  installSockets(network);
  installHttpDate();
  syncBuiltinESMExports();
  separateAgents();
  return { seed, scheduler, network, threads, random, seal: () => watchLeaks(scheduler) };
}
