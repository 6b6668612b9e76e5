import { type MarketSnapshot, unseenMarketOf } from '@core/market';
import { sampleFacts } from '@core/market/testing';
import { policyDefaults } from '@core/policy';
import { sampleNowMs, samplePosition } from '@core/position/testing';
import { pricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import type { IntentRecord } from '@core/store';
import { expect, test } from 'vitest';
import { type Intent, intentsOfSubject } from '../transactions/intents.ts';
import { unwindAdviceOf } from './unwindAdvice.ts';

const hourMs = 3_600_000;
const facts = sampleFacts({
  category: 'sport',
  closeAtMs: null,
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

const record = samplePosition(1, { openedAtMs: sampleNowMs - hourMs });
const chain = {
  state: 'open',
  blockTimeMs: sampleNowMs,
  bookedTokenUnits: record.tokenUnits,
  principalUsdcUnits: record.principalUsdcUnits,
  debtUsdcUnits: usdcUnits(80_010_000n),
  liquidationPricePips: pricePips(4_361n),
  maxVenueFeeBps: rateBps(500n),
} as const;

function adviceWhen(isPastHardExit: boolean, intents: readonly Intent[] = []) {
  const feed = { snapshotOf: putOff, isPastHardExit: () => isPastHardExit, lastCoverOf: () => null };
  return unwindAdviceOf({ record, chain, intents }, { feed, policy: policyDefaults, route: 'direct' });
}

test('a hard exit that came into force without an order stays in force when its game is postponed', () => {
  expect(adviceWhen(false)).toEqual({ kind: 'none' });
  expect(adviceWhen(true)).toMatchObject({ kind: 'sell', isHardExit: true, reason: 'game_start' });
});

/** The order of an unwind that sold nothing, and the row of its post. */
async function orderWith(post: Partial<IntentRecord>): Promise<readonly Intent[]> {
  const address = `0x${'ab'.repeat(20)}`;
  const hash = `0x${'cd'.repeat(32)}`;
  const amounts = { salt: 1n, tokenId: 2n, makerAmount: 3n, takerAmount: 4n, side: 1, timestamp: 5n };
  const order = { ...amounts, maker: address, signer: address, signatureType: 3, metadata: hash, builder: hash };
  const unwind = { reason: 'game_start', heldTokenUnits: record.tokenUnits, isHardExit: true, rung: null };
  const details = { decidedAtMs: sampleNowMs - 5_000, order, orderHash: hash, orderType: 'FOK', attempt: 1, unwind };
  const row = { subject: 's', attempt: 1, orderHash: hash, venueOrderId: null, outcome: null };
  const rows = [
    { ...row, operation: 'authorize_unwind', plan: { kind: 'transaction', to: address, data: '0x', details } },
    { ...row, operation: 'post_unwind', plan: { kind: 'order', order, orderType: 'FOK' }, ...post },
  ] as readonly IntentRecord[];
  return intentsOfSubject({ ofSubject: () => Promise.resolve(rows) }, 's');
}

const soldAfter = async (post: Partial<IntentRecord>): Promise<unknown> => {
  const advice = adviceWhen(true, await orderWith(post));
  return advice.kind === 'sell' ? advice.tokenUnits : null;
};

test('the next order is smaller after one that the venue killed or refused, not after one that ran out unposted', async () => {
  const [all, part] = [102_790_000n, 68_530_000n];
  expect(adviceWhen(true)).toMatchObject({ tokenUnits: all });
  expect(await soldAfter({ state: 'prepared' })).toBe(all);
  expect(await soldAfter({ state: 'dropped', outcome: { refusal: null, trades: [] } })).toBe(all);
  expect(await soldAfter({ state: 'final', venueOrderId: 'ord_1' })).toBe(part);
  expect(await soldAfter({ state: 'dropped', outcome: { refusal: 'fok_not_filled', trades: [] } })).toBe(part);
});
