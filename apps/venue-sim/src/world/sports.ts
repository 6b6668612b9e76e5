import type { RandomStream } from '../random.ts';
import type { GameModel } from './gameModel.ts';
import { RaceGame, type RaceRules, type RaceScore } from './raceGame.ts';
import { TurnGame, type TurnRules } from './turnGame.ts';

export type SportName = 'tennis' | 'basketball' | 'baseball' | 'esport' | 'soccer';

const setsOf = ({ counts, finished, isEnded }: RaceScore): string => {
  const games = counts[1] ?? [0, 0];
  const shown = isEnded ? finished : [...finished, games];
  return shown.map(([first, second]) => `${first}-${second}`).join(', ');
};

const tennis: RaceRules = {
  levels: [
    { target: 4, needsLeadOfTwo: true },
    { target: 6, needsLeadOfTwo: true },
    { target: 2, needsLeadOfTwo: false },
  ],
  secondsPerUnit: 42,
  showScore: setsOf,
  showPeriod: ({ finished, isEnded }) => (isEnded ? 'FT' : `S${finished.length + 1}`),
};

const threeDigits = (count: number): string => count.toString().padStart(3, '0');

const esport: RaceRules = {
  levels: [
    { target: 13, needsLeadOfTwo: true },
    { target: 2, needsLeadOfTwo: false },
  ],
  secondsPerUnit: 165,
  showScore: ({ counts }) => {
    const [rounds = [0, 0], maps = [0, 0]] = counts;
    return `${threeDigits(rounds[0])}-${threeDigits(rounds[1])}|${maps[0]}-${maps[1]}|Bo3`;
  },
  showPeriod: ({ finished, isEnded }) => `${isEnded ? finished.length : Math.min(3, finished.length + 1)}/3`,
};

const basketball: TurnRules = {
  turns: 200,
  secondsPerTurn: 33,
  points: [
    [0, 0.49],
    [2, 0.36],
    [3, 0.13],
    [1, 0.02],
  ],
  canDraw: false,
  showPeriod: ({ turnsPlayed, isEnded }) => (isEnded ? 'FT' : `Q${Math.min(4, Math.floor(turnsPlayed / 50) + 1)}`),
};

const baseball: TurnRules = {
  turns: 18,
  secondsPerTurn: 490,
  points: [
    [0, 0.72],
    [1, 0.15],
    [2, 0.07],
    [3, 0.04],
    [4, 0.02],
  ],
  canDraw: false,
  showPeriod: ({ turnsPlayed, isEnded }) =>
    isEnded ? 'FT' : `${turnsPlayed % 2 === 0 ? 'Top' : 'Bot'} ${Math.floor(turnsPlayed / 2) + 1}`,
};

const soccer: TurnRules = {
  turns: 96,
  secondsPerTurn: 66,
  points: [
    [0, 0.972],
    [1, 0.028],
  ],
  canDraw: true,
  showPeriod: ({ turnsPlayed, isEnded }) => (isEnded ? 'FT' : turnsPlayed < 48 ? '1H' : '2H'),
};

/** A game of the sport before its first second; the sides' strengths are drawn from the stream. */
export function newGame(sport: SportName, random: RandomStream): GameModel {
  const tilt = (random.unit() - 0.5) * 2;
  switch (sport) {
    case 'tennis':
      return new RaceGame({ rules: tennis, random, unitProbability: 0.5 + 0.025 * tilt });
    case 'esport':
      return new RaceGame({ rules: esport, random, unitProbability: 0.5 + 0.04 * tilt });
    case 'basketball':
      return new TurnGame({ rules: basketball, random, edge: 0.045 * tilt });
    case 'baseball':
      return new TurnGame({ rules: baseball, random, edge: 0.07 * tilt });
    case 'soccer':
      return new TurnGame({ rules: soccer, random, edge: 0.006 * tilt });
  }
}
