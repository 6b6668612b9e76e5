import { describe, expect, it } from 'vitest';
import { startVenueSim, type VenueSim } from '../src/startVenueSim.ts';
import { read, send, sendCsv } from '../testing/simHttp.ts';

const csv = [
  'market_id,t_unix,up_bid,up_ask,empty_side,spot_usdt',
  '7,1753113633,0.51,0.52,,118310.99',
  '7,1753113693,0.55,0.57,,118324.24',
  '7,1753113753,,0.02,no_bid,117000',
  '8,1753113633,0.3,0.31,,118310.99',
].join('\n');

const best = async (sim: VenueSim, tokenId: string): Promise<[string, string]> => {
  const { body } = await read(sim, `/book?token_id=${tokenId}`);
  return [body.bids.at(-1)?.price ?? '', body.asks.at(-1)?.price ?? ''];
};

const advance = (sim: VenueSim, seconds: number) => send(sim, '/control/clock', { advance_seconds: seconds });

describe('a replay', () => {
  it('follows the recorded quotes on the clock, with the linear book, and resolves by its last price', async () => {
    const sim = await startVenueSim({ seed: 'replay' });
    const listed = await sendCsv(sim, '/control/replays?market=7&lambda_usd_per_cent=100', csv);
    expect(listed.status).toBe(201);
    const [replay] = listed.body.markets;
    expect([replay.market_id, replay.rows]).toEqual(['7', 3]);
    const [yes, no] = replay.token_ids;
    expect(await best(sim, yes)).toEqual(['0.51', '0.52']);
    // 100 dollars a cent: about 196 tokens at 0.51, and about 208 of NO at 0.48 behind the ask.
    const { body: book } = await read(sim, `/book?token_id=${yes}`);
    expect(Number(book.bids.at(-1).size)).toBeCloseTo(100 / 0.51, 0);
    expect(Number(book.asks.at(-1).size)).toBeCloseTo(100 / 0.48, 0);
    expect(book.bids.at(-2).price).toBe('0.5');

    const { body: record } = await read(sim, `/markets?slug=${replay.slug}`);
    expect([record[0].conditionId, record[0].acceptingOrders, record[0].outcomes]).toEqual([
      replay.condition_id,
      true,
      '["Up","Down"]',
    ]);
    // The record ends on the recorded hour.
    expect(replay.ends_at_ms - replay.starts_at_ms).toBe((1_753_117_200 - 1_753_113_633) * 1000);

    await advance(sim, 60);
    expect(await best(sim, yes)).toEqual(['0.55', '0.57']);
    expect(await best(sim, no)).toEqual(['0.43', '0.45']);
    await advance(sim, 60);
    expect(await best(sim, yes)).toEqual(['', '0.02']);
    await advance(sim, 3_600);
    const { body: over } = await read(sim, `/markets?slug=${replay.slug}`);
    expect([over[0].closed, over[0].outcomePrices]).toEqual([true, '["0","1"]']);
    await sim.close();
  });

  it('lists games, accepts an outcome and rejects malformed input', async () => {
    const sim = await startVenueSim({ seed: 'replay' });
    const game = 'market_id,t_unix,bid,ask\nx1,100,0.165,0.17\nx1,223,0.2,0.215\n';
    const { body } = await sendCsv(sim, '/control/replays?league=atp&outcome=yes&title=Final', game);
    const [replay] = body.markets;
    const { body: record } = await read(sim, `/markets?slug=${replay.slug}`);
    expect(record[0]).toMatchObject({
      question: 'Final',
      sportsMarketType: 'moneyline',
      orderPriceMinTickSize: 0.005,
      feeSchedule: { rate: 0.03, exponent: 1 },
    });
    expect(await best(sim, replay.token_ids[0])).toEqual(['0.165', '0.17']);
    const { body: reference } = await read(sim, '/reference/games');
    const referenceGame = reference.games.find((one: { slug: string }) => one.slug === replay.slug);
    expect([referenceGame.live, referenceGame.ended, referenceGame.score]).toEqual([true, false, null]);
    await advance(sim, 300);
    expect((await read(sim, `/markets?slug=${replay.slug}`)).body[0].outcomePrices).toBe('["1","0"]');
    const again = await sendCsv(sim, '/control/replays', game);
    expect(again.body.markets[0].slug).not.toBe(replay.slug);
    for (const [path, body] of [
      ['/control/replays', 'no csv'],
      ['/control/replays?market=nowhere', game],
      ['/control/replays?lambda_usd_per_cent=-1', game],
      ['/control/replays?speed=2', game],
    ] as const) {
      expect((await sendCsv(sim, path, body)).status).toBe(400);
    }
    await sim.close();
  });
});
