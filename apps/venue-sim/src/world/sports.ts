import type { GameModel } from './gameModel.ts';
import { PhaseGame, type PhaseRules } from './phaseGame.ts';
import { RaceGame, type RaceRules, type RaceScore } from './raceGame.ts';
import type { RandomStream } from './random.ts';

export type SportName = 'tennis' | 'basketball' | 'baseball' | 'esport' | 'soccer';

const setsOf = ({ counts, finished, isEnded }: RaceScore): string => {
  const games = counts[1] ?? [0, 0];
  const setScores = isEnded ? finished : [...finished, games];
  return setScores.map(([first, second]) => `${first}-${second}`).join(', ');
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

const basketball: PhaseRules = {
  phases: 200,
  secondsPerPhase: 33,
  points: [
    [0, 0.49],
    [2, 0.36],
    [3, 0.13],
    [1, 0.02],
  ],
  canDraw: false,
  showPeriod: ({ phasesPlayed, isEnded }) => (isEnded ? 'FT' : `Q${Math.min(4, Math.floor(phasesPlayed / 50) + 1)}`),
};

const baseball: PhaseRules = {
  phases: 18,
  secondsPerPhase: 490,
  points: [
    [0, 0.72],
    [1, 0.15],
    [2, 0.07],
    [3, 0.04],
    [4, 0.02],
  ],
  canDraw: false,
  showPeriod: ({ phasesPlayed, isEnded }) =>
    isEnded ? 'FT' : `${phasesPlayed % 2 === 0 ? 'Top' : 'Bot'} ${Math.floor(phasesPlayed / 2) + 1}`,
};

const soccer: PhaseRules = {
  phases: 96,
  secondsPerPhase: 66,
  points: [
    [0, 0.972],
    [1, 0.028],
  ],
  canDraw: true,
  showPeriod: ({ phasesPlayed, isEnded }) => (isEnded ? 'FT' : phasesPlayed < 48 ? '1H' : '2H'),
};

/** Create a game of the sport before its first second; the sides' strengths are drawn from the stream. */
export function newGame(sport: SportName, random: RandomStream): GameModel {
  const tilt = (random.unit() - 0.5) * 2;
  switch (sport) {
    case 'tennis':
      return new RaceGame({ rules: tennis, random, unitProbability: 0.5 + 0.025 * tilt });
    case 'esport':
      return new RaceGame({ rules: esport, random, unitProbability: 0.5 + 0.04 * tilt });
    case 'basketball':
      return new PhaseGame({ rules: basketball, random, edge: 0.045 * tilt });
    case 'baseball':
      return new PhaseGame({ rules: baseball, random, edge: 0.07 * tilt });
    case 'soccer':
      return new PhaseGame({ rules: soccer, random, edge: 0.006 * tilt });
  }
}
