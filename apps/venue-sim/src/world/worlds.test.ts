import { describe, expect, it } from 'vitest';
import { digitalFairPrice } from './digitalOption.ts';
import type { GameModel } from './gameModel.ts';
import { normalBelow } from './normalDistribution.ts';
import { randomStream } from './random.ts';
import { newGame, type SportName } from './sports.ts';
import { SpotWorld } from './spotWorld.ts';

const startMs = Date.UTC(2026, 0, 1);

describe('spot prices', () => {
  it('follow the same path in one step and in many', () => {
    const once = new SpotWorld({ seed: 's', startMs });
    const often = new SpotWorld({ seed: 's', startMs });
    once.advanceTo(startMs + 7_200_000);
    for (let atMs = startMs; atMs <= startMs + 7_200_000; atMs += 777) often.advanceTo(atMs);
    often.advanceTo(startMs + 7_200_000);
    expect(once.priceUsd('BTC')).toBe(often.priceUsd('BTC'));
    expect(once.priceUsdAt('ETH', startMs + 3_600_000)).toBe(often.priceUsdAt('ETH', startMs + 3_600_000));
    expect(once.priceUsdAt('ETH', startMs - 1)).toBeNull();
    expect(once.priceUsdAt('ETH', startMs + 7_260_000)).toBeNull();
  });

  it('vary by their volatility', () => {
    const world = new SpotWorld({ seed: 'v', startMs });
    const returns: number[] = [];
    let last = world.priceUsd('BTC');
    for (let minute = 1; minute <= 4_000; minute += 1) {
      world.advanceTo(startMs + minute * 60_000);
      const price = world.priceUsd('BTC');
      returns.push(Math.log(price / last));
      last = price;
    }
    const measured = Math.sqrt(returns.reduce((sum, one) => sum + one * one, 0) / returns.length);
    const modelVolatility = world.volatilityPerSecond('BTC') * Math.sqrt(60);
    expect(measured / modelVolatility).toBeGreaterThan(0.85);
    expect(measured / modelVolatility).toBeLessThan(1.15);
  });

  it('jump by the factor a scenario gives', () => {
    const world = new SpotWorld({ seed: 'j', startMs });
    const before = world.priceUsd('SOL');
    world.multiply('SOL', 1.1);
    expect(world.priceUsd('SOL') / before).toBeCloseTo(1.1, 9);
  });
});

describe('digital options', () => {
  const option = { spotUsd: 100, strikeUsd: 100, volatilityPerSecond: 0.0001, secondsLeft: 3_600 };

  it('stand at even odds at the strike, rise with the spot, and sharpen as time runs out', () => {
    expect(digitalFairPrice(option)).toBeCloseTo(0.5, 2);
    expect(digitalFairPrice({ ...option, spotUsd: 101 })).toBeGreaterThan(
      digitalFairPrice({ ...option, spotUsd: 100.5 }),
    );
    expect(digitalFairPrice({ ...option, spotUsd: 100.5, secondsLeft: 60 })).toBeGreaterThan(
      digitalFairPrice({ ...option, spotUsd: 100.5 }),
    );
    expect(digitalFairPrice({ ...option, secondsLeft: 0 })).toBe(1);
    expect(digitalFairPrice({ ...option, spotUsd: 99.99, secondsLeft: 0 })).toBe(0);
    expect(normalBelow(1.96)).toBeCloseTo(0.975, 4);
  });
});

/** Play a game to its end. */
function playOut(game: GameModel): GameModel {
  for (let second = 0; second < 200_000 && !game.isEnded; second += 1) game.step();
  return game;
}

describe.each(['tennis', 'basketball', 'baseball', 'esport', 'soccer'] as const)('a game of %s', (sport: SportName) => {
  it('ends, with a winner where there is no draw, and lasts about as long as such games do', () => {
    let seconds = 0;
    const games = 20;
    for (let index = 0; index < games; index += 1) {
      const game = newGame(sport, randomStream(`${sport}/${index}`));
      while (!game.isEnded) {
        game.step();
        seconds += 1;
      }
      expect(game.winner !== null || sport === 'soccer').toBe(true);
      expect(game.winProbability()).toBe(game.winner === 0 ? 1 : 0);
    }
    expect(seconds / games / 60).toBeGreaterThan(60);
    expect(seconds / games / 60).toBeLessThan(220);
  });

  it('gives calibrated probabilities', () => {
    const games = sport === 'tennis' || sport === 'esport' ? 150 : 250;
    let expectedWins = 0;
    let won = 0;
    for (let index = 0; index < games; index += 1) {
      const game = newGame(sport, randomStream(`${sport}/calibration/${index}`));
      for (let second = 0; second < 2_400; second += 1) game.step();
      expectedWins += game.winProbability();
      won += playOut(game).winner === 0 ? 1 : 0;
    }
    // Three standard deviations of the number of wins.
    expect(Math.abs(expectedWins - won)).toBeLessThan(3 * Math.sqrt(games * 0.25));
  });

  it('reverses its lead when the scores are swapped', () => {
    const game = newGame(sport, randomStream(`${sport}/swap`));
    for (let second = 0; second < 2_400; second += 1) game.step();
    const before = game.winProbability();
    const score = game.score;
    game.swapScores();
    expect(game.score).not.toBe(score);
    game.swapScores();
    expect([before, game.winProbability()].every((chance) => chance >= 0 && chance <= 1)).toBe(true);
  });
});
