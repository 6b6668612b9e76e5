import type { Fault } from './fault.ts';

const pauseMs = { low: 1_000, end: 8_000 } as const;
const betweenMs = { low: 2_000, end: 20_000 } as const;

/** Programs stop for seconds, as at a long collection of garbage, and continue. */
export const programsPause: Fault = ({ world, random, say }) => {
  const { scheduler } = world.edge;
  let isOn = true;
  const next = (): void => {
    scheduler.at(random.between(betweenMs.low, betweenMs.end), () => {
      if (!isOn) return;
      const name = random.oneOf(world.programs.names);
      const ms = random.between(pauseMs.low, pauseMs.end);
      say(`fault: the ${name} stops for ${ms} ms`);
      world.programs.pause(name, ms);
      next();
    });
  };
  next();
  return () => {
    isOn = false;
  };
};
