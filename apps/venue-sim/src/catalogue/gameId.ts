import type { Fixture } from './fixtures.ts';

/** Return the number of a game in the catalogue and on the sports socket. */
export const gameIdOf = ({ slug, startMs }: Fixture): number =>
  Number.parseInt(slug.length.toString() + startMs.toString().slice(3, 9), 10);

/** Format the time played like a game clock: minutes and seconds. */
export const elapsedText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${(seconds % 60).toString().padStart(2, '0')}`;
