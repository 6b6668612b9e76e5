import type { Fault } from './fault.ts';

const betweenMs = { low: 4_000, end: 20_000 } as const;
const depth = { low: 1, end: 4 } as const;

/** The chain replaces its newest blocks; their transactions are mined again. */
export const blocksAreReplaced: Fault = ({ world, random, say }) => {
  const { scheduler } = world.edge;
  let isOn = true;
  const next = (): void => {
    scheduler.at(random.between(betweenMs.low, betweenMs.end), () => {
      if (!isOn) return;
      const blocks = random.between(depth.low, depth.end);
      say(`fault: the chain replaces its newest ${blocks} blocks`);
      void world.chain.reorganise(blocks);
      next();
    });
  };
  next();
  return () => {
    isOn = false;
  };
};
