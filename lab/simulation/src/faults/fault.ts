import type { Random } from '../runtime/random.ts';
import type { World } from '../world/startWorld.ts';

/** Add a line to the outcome of a world. */
export type Say = (line: string) => void;

/** The world that a fault happens in, with the fault's own stream of random numbers. */
export interface FaultPlace {
  readonly world: World;
  readonly random: Random;
  readonly say: Say;
}

/** A kind of trouble, by its name. It begins when it is called, and ends with the call that it returns. */
export type Fault = (place: FaultPlace) => () => void;
