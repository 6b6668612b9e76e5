import type { GameModel } from '../world/gameModel.ts';
import { randomStream } from '../world/random.ts';
import { newGame, type SportName } from '../world/sports.ts';
import { type FairSource, gameFairSource } from './fairSource.ts';
import { fixtureNames } from './fixtureNames.ts';
import type { EventDefinition, FeeSchedule, MarketDraft } from './marketDefinition.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

interface League {
  readonly sport: SportName;
  readonly slug: string;
  readonly title: string;
  readonly names: readonly [string, ...string[]];
  readonly feeRatePpm: bigint;
  /** Offset of the record's endDate from the start, which differs by league. */
  readonly endDateAfterMs: number;
  readonly usdPerCent: number;
}

const leagues = {
  atp: {
    sport: 'tennis',
    slug: 'atp',
    title: 'ATP',
    names: fixtureNames.players,
    feeRatePpm: 30_000n,
    endDateAfterMs: 7 * dayMs,
    usdPerCent: 700,
  },
  wta: {
    sport: 'tennis',
    slug: 'wta',
    title: 'WTA',
    names: fixtureNames.players,
    feeRatePpm: 30_000n,
    endDateAfterMs: 7 * dayMs,
    usdPerCent: 600,
  },
  nba: {
    sport: 'basketball',
    slug: 'nba',
    title: 'NBA',
    names: fixtureNames.basketball,
    feeRatePpm: 50_000n,
    endDateAfterMs: 0,
    usdPerCent: 1_500,
  },
  mlb: {
    sport: 'baseball',
    slug: 'mlb',
    title: 'MLB',
    names: fixtureNames.baseball,
    feeRatePpm: 50_000n,
    endDateAfterMs: 7 * dayMs,
    usdPerCent: 1_000,
  },
  cs2: {
    sport: 'esport',
    slug: 'cs2',
    title: 'Counter Strike',
    names: fixtureNames.esport,
    feeRatePpm: 30_000n,
    endDateAfterMs: 6 * hourMs,
    usdPerCent: 500,
  },
  epl: {
    sport: 'soccer',
    slug: 'epl',
    title: 'Premier League',
    names: fixtureNames.soccer,
    feeRatePpm: 30_000n,
    endDateAfterMs: 0,
    usdPerCent: 1_500,
  },
} as const satisfies Record<string, League>;

/** Slot of the fixture list: after each game the next one is announced. */
export interface FixtureSlot {
  readonly id: string;
  readonly league: keyof typeof leagues;
  /** Start of the slot's first game relative to the world's opening, minutes; negative is in play. */
  readonly startMinutes: number;
  /** Handicap and total besides the winner. */
  readonly hasLines: boolean;
}

export const fixtureSlots: readonly FixtureSlot[] = [
  { id: 'tennis-a', league: 'atp', startMinutes: -14, hasLines: false },
  { id: 'tennis-b', league: 'wta', startMinutes: -25, hasLines: false },
  { id: 'tennis-c', league: 'atp', startMinutes: 75, hasLines: false },
  { id: 'basketball-a', league: 'nba', startMinutes: -22, hasLines: true },
  { id: 'basketball-b', league: 'nba', startMinutes: 140, hasLines: false },
  { id: 'baseball-a', league: 'mlb', startMinutes: -35, hasLines: false },
  { id: 'baseball-b', league: 'mlb', startMinutes: 200, hasLines: false },
  { id: 'esport-a', league: 'cs2', startMinutes: -30, hasLines: false },
  { id: 'esport-b', league: 'cs2', startMinutes: 100, hasLines: false },
  { id: 'soccer-a', league: 'epl', startMinutes: -10, hasLines: true },
];

/** Game with its own clock. */
export interface Fixture {
  readonly slot: FixtureSlot;
  readonly generation: number;
  readonly slug: string;
  readonly title: string;
  readonly sides: readonly [string, string];
  readonly league: League;
  readonly startMs: number;
  readonly model: GameModel;
  /** Seconds of play simulated so far. */
  secondsPlayed: number;
  endedMs: number | null;
  /** Winning probability of the first side at each whole minute of play. */
  readonly minuteProbabilities: number[];
}

/** Announce a game of a slot. */
export function newFixture(parameters: {
  readonly seed: string;
  readonly slot: FixtureSlot;
  readonly generation: number;
  readonly startMs: number;
}): Fixture {
  const { seed, slot, generation } = parameters;
  const startMs = Math.round(parameters.startMs / minuteMs) * minuteMs;
  const league: League = leagues[slot.league];
  const random = randomStream(`${seed}/fixture/${slot.id}/${generation}`);
  const first = random.pick(league.names);
  const others = league.names.filter((name) => name !== first);
  const second = others[random.integer(others.length)] ?? first;
  const day = new Date(startMs).toISOString().slice(0, 10);
  const short = (name: string): string =>
    name
      .toLowerCase()
      .replaceAll(/[^a-z]/g, '')
      .slice(0, 8);
  const repeat = generation === 0 ? '' : `-g${generation + 1}`;
  const model = newGame(league.sport, random);
  return {
    slot,
    generation,
    slug: `${league.slug}-${short(first)}-${short(second)}-${day}${repeat}`,
    title: league.sport === 'esport' ? `Counter-Strike: ${first} vs ${second} (BO3)` : `${first} vs. ${second}`,
    sides: [first, second],
    league,
    startMs,
    model,
    secondsPlayed: 0,
    endedMs: null,
    minuteProbabilities: [model.winProbability()],
  };
}

/** Advance to the last whole second not after `nowMs`. */
export function advanceFixture(fixture: Fixture, nowMs: number): void {
  while (fixture.endedMs === null && fixture.startMs + (fixture.secondsPlayed + 1) * 1000 <= nowMs) {
    fixture.model.step();
    fixture.secondsPlayed += 1;
    if (fixture.secondsPlayed % 60 === 0) fixture.minuteProbabilities.push(fixture.model.winProbability());
    if (fixture.model.isEnded) fixture.endedMs = fixture.startMs + fixture.secondsPlayed * 1000;
  }
}

const feesOf = (league: League): FeeSchedule => ({ ratePpm: league.feeRatePpm, exponent: 1n });

function fairOf(fixture: Fixture, probability: (game: GameModel) => number, isWinner: boolean): FairSource {
  return gameFairSource({
    game: fixture.model,
    probability,
    past: (atMs) => {
      if (!isWinner) return null;
      const minute = Math.max(0, Math.floor((atMs - fixture.startMs) / minuteMs));
      return fixture.minuteProbabilities[minute] ?? null;
    },
  });
}

interface Line {
  readonly suffix: string;
  readonly question: string;
  readonly groupItemTitle: string | null;
  readonly outcomes: readonly [string, string];
  readonly marketType: string;
  readonly line: number | null;
  readonly isNegRisk: boolean;
  readonly probability: (game: GameModel) => number;
}

function linesOf(fixture: Fixture): Line[] {
  const [first, second] = fixture.sides;
  const winner: Line = {
    suffix: '',
    question: fixture.title,
    groupItemTitle: fixture.league.sport === 'esport' ? 'Match Winner' : null,
    outcomes: [first, second],
    marketType: 'moneyline',
    line: null,
    isNegRisk: false,
    probability: (game) => game.winProbability(),
  };
  const handicap = (line: number): Line => ({
    suffix: `-spread-home-${line.toString().replace('.', 'pt')}`,
    question: `Spread: ${first} (-${line})`,
    groupItemTitle: `${first} (-${line})`,
    outcomes: [first, second],
    marketType: 'spreads',
    line: -line,
    isNegRisk: false,
    probability: (game) => game.marginAbove(line),
  });
  if (fixture.league.sport === 'soccer') {
    const threeWay = (side: string, suffix: string, probability: Line['probability']): Line => ({
      suffix,
      question: `Will ${side} win on ${new Date(fixture.startMs).toISOString().slice(0, 10)}?`,
      groupItemTitle: side,
      outcomes: ['Yes', 'No'],
      marketType: 'moneyline',
      line: null,
      isNegRisk: true,
      probability,
    });
    return [
      threeWay(first, '-home', (game) => game.winProbability()),
      {
        ...threeWay('Draw', '-draw', (game) => game.drawProbability()),
        question: `Will ${fixture.title} end in a draw?`,
      },
      handicap(1.5),
    ];
  }
  if (!fixture.slot.hasLines) return [winner];
  const total: Line = {
    suffix: '-total-225pt5',
    question: `${fixture.title}: O/U 225.5`,
    groupItemTitle: 'O/U 225.5',
    outcomes: ['Over', 'Under'],
    marketType: 'totals',
    line: 225.5,
    isNegRisk: false,
    probability: (game) => game.totalAbove(225.5),
  };
  return [winner, handicap(4.5), total];
}

/** Return the markets of one game. */
export function fixtureDrafts(fixture: Fixture): MarketDraft[] {
  const { league, startMs } = fixture;
  const event: EventDefinition = {
    id: `e-${fixture.slug}`,
    slug: fixture.slug,
    title: fixture.title,
    series: { id: `s-${league.slug}`, slug: league.slug, title: league.title, recurrence: 'daily' },
    resolutionSource: 'official score of the league',
    gameSlug: fixture.slug,
  };
  return linesOf(fixture).map((line) => ({
    slug: `${fixture.slug}${line.suffix}`,
    question: line.question,
    description:
      `Resolves by the final score of ${fixture.title}. ` +
      'A game that is cancelled without a make-up game resolves 50-50.',
    groupItemTitle: line.groupItemTitle,
    outcomes: line.outcomes,
    event,
    category: 'sport',
    asset: null,
    sport: league.sport,
    sportsMarketType: line.marketType,
    line: line.line,
    spanStartMs: null,
    gameStartMs: startMs,
    endDateMs: startMs + league.endDateAfterMs,
    tradingEndMs: null,
    isNegRisk: line.isNegRisk,
    tickPricePips: 100n,
    hasFineTick: true,
    areFeesEnabled: true,
    feeSchedule: feesOf(league),
    depthUsdPerCent: league.usdPerCent,
    volume24hUsd: league.usdPerCent * 90,
    fairSource: fairOf(fixture, line.probability, line.marketType === 'moneyline' && !line.isNegRisk),
  }));
}

/** Pause between the end of a slot's game and the start of its next one. */
export const restBetweenGamesMs = 75 * minuteMs;
