import { defaultPhysics, finalityTags, type Physics } from '../world/physics.ts';
import { ArgumentError, oneOf, wholeOf } from './arguments.ts';

interface PhysicsFlag {
  /** Name of the value, and its use, for the help. */
  readonly use: readonly [value: string, text: string];
  readonly read: (value: string, flag: string) => Partial<Physics>;
}

const whole = (key: keyof Physics, use: PhysicsFlag['use']): PhysicsFlag => ({
  use,
  read: (value, flag) => ({ [key]: wholeOf(flag, value) }),
});

/** Ticks of the venue, in cents, and their pips. */
const ticks = { '1': 100, '0.1': 10 } as const;

/** Flags of `simulate` that change the physics of a world. */
export const physicsFlags: Readonly<Record<string, PhysicsFlag>> = {
  block: {
    use: ['MS', `pause between two blocks, ${defaultPhysics.blockMs} by default; 0 mines each transaction at once`],
    read: (value, flag) => {
      const blockMs = wholeOf(flag, value);
      if (blockMs > 0 && blockMs < 1_000) throw new ArgumentError(`--${flag}: use 0, or 1000 or more`);
      return { blockMs };
    },
  },
  'tip-floor': whole('tipFloorGwei', ['GWEI', 'smallest tip that is mined']),
  'base-fee': whole('baseFeeGwei', ['GWEI', 'base fee of all blocks']),
  'node-lag': whole('nodeLagBlocks', ['BLOCKS', 'blocks that the node is behind the chain']),
  'max-batch': whole('maxBatchCalls', ['CALLS', 'calls that the node takes in one request']),
  'max-log-blocks': whole('maxLogBlocks', ['BLOCKS', 'longest range of a log query']),
  finality: {
    use: ['TAG', `tag of final blocks: ${finalityTags.join(', ')}`],
    read: (value, flag) => ({ finality: oneOf(flag, value, finalityTags) }),
  },
  tick: {
    use: ['CENTS', 'tick of the markets: 1 or 0.1'],
    read: (value, flag) => ({ tickPips: ticks[oneOf(flag, value, ['1', '0.1'])] }),
  },
  'venue-answer': whole('venueAnswerMs', ['MS', 'further latency of the venue']),
  'taker-delay': whole('takerDelayMs', ['MS', 'pause before the venue matches an order']),
  'venue-settle': whole('venueSettleMs', ['MS', 'pause before the venue settles a match on chain']),
  'clocks-apart': whole('clocksApartMs', ['MS', 'largest difference of a clock from the true time']),
};

/** Return the physics of the flags that were given. */
export function physicsOf(values: Readonly<Record<string, unknown>>): Physics {
  const changes = Object.entries(physicsFlags).map(([flag, { read }]) => {
    const value = values[flag];
    return typeof value === 'string' ? read(value, flag) : {};
  });
  return Object.assign({}, defaultPhysics, ...changes);
}
