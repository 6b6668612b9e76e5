import { type MarketSnapshot, policyDefaults, unseenMarketOf } from '@core/policy';
import { sampleNowMs, samplePosition } from '@core/position/testing';
import { pricePips, tokenUnits, usdcUnits } from '@core/pricing';
import { expect, test } from 'vitest';
import { sampleFacts } from '../../testing/sampleFacts.ts';
import { unwindAdviceOf } from './unwindAdvice.ts';

const hourMs = 3_600_000;
const facts = sampleFacts({
  category: 'sport',
  subject: {
    kind: 'sport',
    sport: 'tennis',
    sportName: 'tennis',
    line: 'winner',
    marketType: 'moneyline',
    gameStartAtMs: sampleNowMs + 5 * hourMs,
  },
});

/** A game that was put off: in hours, with bids at which the debt is well covered. */
function putOff(): MarketSnapshot {
  const unseen = unseenMarketOf(facts, sampleNowMs);
  const level = (pips: bigint) => ({ pricePips: pricePips(pips), sizeTokenUnits: tokenUnits(10_000_000_000n) });
  const book = { bids: [level(8_000n)], asks: [level(8_100n)] };
  return { ...unseen, yes: { ...unseen.yes, book, bookAgeMs: 0 } };
}

test('a hard exit that came into force without any order stays so when its game is put off', () => {
  const record = samplePosition(1, { openedAtMs: sampleNowMs - hourMs });
  const chain = {
    state: 'open',
    blockTimeMs: sampleNowMs,
    bookedTokenUnits: record.tokenUnits,
    principalUsdcUnits: record.principalUsdcUnits,
    debtUsdcUnits: usdcUnits(80_010_000n),
    liquidationPricePips: pricePips(4_361n),
  } as const;
  const adviceWhen = (isPast: boolean) =>
    unwindAdviceOf(
      { record, chain, intents: [] },
      {
        feed: { snapshotOf: putOff, isPastHardExit: () => isPast, lastCovered: () => null },
        policy: policyDefaults,
      },
    );
  expect(adviceWhen(false)).toEqual({ kind: 'none' });
  expect(adviceWhen(true)).toMatchObject({ kind: 'sell', isHardExit: true, reason: 'game_start' });
});
