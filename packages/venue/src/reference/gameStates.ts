import { z } from 'zod';
import { decimalText } from '../schema/wireTypes.ts';
import { ListedReadings } from './listedReadings.ts';
import type { GameReading } from './referenceFeeds.ts';

const stateSchema = z.looseObject({
  leagueAbbreviation: z.string().min(1),
  gameId: decimalText.nullish(),
  /** Name of the id in cricket. */
  metadataGameId: decimalText.nullish(),
  score: z.string().nullish(),
  period: decimalText.nullish(),
  live: z.boolean(),
  ended: z.boolean(),
});

/** Return the key of a game; a slug of the venue begins with its league. */
const keyOf = (league: string, gameId: string): string => `${league.toLowerCase()}:${gameId}`;

/**
 * States of games as the venue's sports socket sends them, by league and game id. The elapsed time of a message counts
 * within a period of its sport and is not used: the schedule says how much of a game is over.
 */
export class GameStates {
  readonly #readings = new ListedReadings<GameReading>();

  /** Record a message. Return false for one that is no state of a game. */
  record(wire: unknown, at: { readonly nowMs: number; readonly monotonicMs: number }): boolean {
    const state = stateSchema.safeParse(wire).data;
    const gameId = state?.gameId ?? state?.metadataGameId ?? '';
    if (state === undefined || gameId === '') return false;
    const key = keyOf(state.leagueAbbreviation, gameId);
    // The end is sent once: a game that has ended stays so, whatever a late message says.
    const isEnded = state.ended || this.#readings.get(key)?.isEnded === true;
    const reading: GameReading = {
      slug: key,
      startedAtMs: null,
      elapsedSeconds: null,
      period: state.period || null,
      score: state.score || null,
      isLive: state.live && !isEnded,
      isEnded,
      observedAtMs: at.nowMs,
    };
    this.#readings.list([[key, reading]], at.monotonicMs);
    return true;
  }

  /** Return the last state of a game of the league that a slug begins with; null when none was seen. */
  stateOf(eventSlug: string, gameId: string): GameReading | null {
    return this.#readings.get(keyOf(eventSlug.split('-')[0] ?? '', gameId));
  }
}
