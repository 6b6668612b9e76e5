import type { Fault } from './fault.ts';

const lateMs = { low: 500, end: 6_500 } as const;
/** Share of the venue's chunks that are late. */
const share = 0.01;

/** Messages of the venue take seconds now and then. */
export const venueIsLate: Fault = ({ world, random, say }) => {
  const { network } = world.edge;
  const usual = network.latency;
  network.latency = (from, to, byteLength) => {
    const ms = usual(from, to, byteLength);
    if (from !== 'venue' || to === '' || ms === null || !random.happens(share)) return ms;
    const late = random.between(lateMs.low, lateMs.end);
    say(`fault: a message of the venue to the ${to} takes ${late} ms`);
    return ms + late;
  };
  return () => {
    network.latency = usual;
  };
};
