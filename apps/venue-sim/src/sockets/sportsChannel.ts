import type { WebSocket } from 'ws';
import type { Fixture } from '../catalogue/fixtures.ts';
import { elapsedText, gameIdOf } from '../catalogue/gameId.ts';
import type { SimVenue } from '../venue/simVenue.ts';
import { sendTo } from './feedSocket.ts';

/** Interval of the server's pings, seconds. */
const pingSeconds = 5;

/** Channel of the states of all running games. It needs no subscription and repeats unchanged states. */
export class SportsChannel {
  readonly #venue: SimVenue;
  readonly #sockets = new Set<WebSocket>();
  /** Games whose end was sent. It is sent once. */
  readonly #ended = new Set<string>();
  #tickCount = 0;

  constructor(venue: SimVenue) {
    this.#venue = venue;
  }

  open(socket: WebSocket): void {
    this.#sockets.add(socket);
  }

  onFrame(socket: WebSocket, frame: string): void {
    if (frame.trim() === 'ping') socket.send('pong');
  }

  drop(socket: WebSocket): void {
    this.#sockets.delete(socket);
  }

  /** Send the games of one second. */
  tick(): void {
    this.#tickCount += 1;
    const states = [...this.#venue.fixtures()]
      .filter(({ secondsPlayed, slug }) => secondsPlayed > 0 && !this.#ended.has(slug))
      .map((fixture) => ({ fixture, state: gameStateOf(fixture) }));
    for (const { fixture } of states) if (fixture.endedMs !== null) this.#ended.add(fixture.slug);
    for (const socket of this.#sockets) {
      if (this.#tickCount % pingSeconds === 0) socket.send('ping');
      for (const { state } of states) sendTo(socket, state);
    }
  }
}

/** Return the state of one game. The message has no type field. */
function gameStateOf(fixture: Fixture) {
  const { slug, league, model, endedMs, secondsPlayed, sides } = fixture;
  const isLive = endedMs === null;
  return {
    gameId: gameIdOf(fixture),
    leagueAbbreviation: league.slug,
    slug,
    homeTeam: sides[0],
    awayTeam: sides[1],
    status: isLive ? 'InProgress' : 'Final',
    score: model.score,
    period: model.period,
    elapsed: elapsedText(secondsPlayed),
    live: isLive,
    ended: !isLive,
    ...(endedMs === null ? {} : { finishedTimestamp: new Date(endedMs).toISOString() }),
  };
}
