import { answers, faults, lagging, limits } from './nodes.ts';
import { gap, instant, order, replacement, times, tipFloor } from './pool.ts';
import { afterClientRevert, manyBlocks, oneBlock } from './reorganisation.ts';
import type { Setting } from './testChain.ts';

const byName = {
  order,
  gap,
  replacement,
  times,
  tipFloor,
  instant,
  oneBlock,
  manyBlocks,
  afterClientRevert,
  lagging,
  limits,
  faults,
  answers,
};

/** Scenarios of one process, each on a chain of its own. */
export const scenarios: readonly ((setting: Setting) => Promise<unknown>)[] = Object.values(byName);

/** Outcomes by the name of the scenario. */
export type Outcomes = {
  readonly [Name in keyof typeof byName]: Awaited<ReturnType<(typeof byName)[Name]>>;
};
