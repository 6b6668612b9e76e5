import { setTimeout as pause } from 'node:timers/promises';
import { startGatewaySockets } from '../gatewaySockets.ts';

// Usage: node --expose-gc idleSockets.ts <fewer> <more>. Prints the memory of one more idle socket, as the slope
// between two counts after garbage collection, so that the process itself is excluded.
const [fewer = 0, more = 0] = process.argv.slice(2).map(Number);
const sockets = await startGatewaySockets();

async function memory(): Promise<{ readonly held: number; readonly resident: number }> {
  for (let round = 0; round < 5; round += 1) {
    globalThis.gc?.();
    await pause(100);
  }
  // `external` includes array buffers.
  const { heapUsed, external, rss } = process.memoryUsage();
  return { held: heapUsed + external, resident: rss };
}

await sockets.open(fewer);
const before = await memory();
await sockets.open(more - fewer);
const after = await memory();
const slopeOf = (key: keyof typeof before): number => Math.round((after[key] - before[key]) / (more - fewer));
process.stdout.write(`${JSON.stringify({ heldBytes: slopeOf('held'), residentBytes: slopeOf('resident') })}\n`);
await sockets.close();
