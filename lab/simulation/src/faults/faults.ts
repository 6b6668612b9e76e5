import { answersAreLost } from './answersAreLost.ts';
import { blocksAreReplaced } from './blocksAreReplaced.ts';
import type { Fault } from './fault.ts';
import { keeperDies } from './keeperDies.ts';
import { programsPause } from './programsPause.ts';
import { venueIsLate } from './venueIsLate.ts';

export const faultNames = [
  'keeper-dies',
  'venue-is-late',
  'programs-pause',
  'answers-are-lost',
  'blocks-are-replaced',
] as const;
export type FaultName = (typeof faultNames)[number];

/** All kinds of trouble by the name that a request of a world gives. */
export const faults: Readonly<Record<FaultName, Fault>> = {
  'keeper-dies': keeperDies,
  'venue-is-late': venueIsLate,
  'programs-pause': programsPause,
  'answers-are-lost': answersAreLost,
  'blocks-are-replaced': blocksAreReplaced,
};
