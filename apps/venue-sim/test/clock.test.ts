import { describe, expect, it } from 'vitest';
import { startVenueSim } from '../src/startVenueSim.ts';
import { read, send } from '../testing/simHttp.ts';
import { SocketListener } from '../testing/socketListener.ts';

describe('the movable clock', () => {
  it('refreshes every book, ends and lists the markets that are due before the call returns', async () => {
    const sim = await startVenueSim({ seed: 'clock' });
    const first = await read(sim, '/markets?limit=500&closed=false');
    const tokens: string[] = first.body.flatMap((market: { clobTokenIds: string }) => JSON.parse(market.clobTokenIds));
    const listener = await SocketListener.open(sim, 'market', { assets_ids: tokens, type: 'market' });
    listener.clear();
    const before = (await read(sim, '/control/clock')).body.now_ms;
    const startedMs = performance.now();
    const { body } = await send(sim, '/control/clock', { advance_seconds: 3_600 });
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(490);
    expect(body.now_ms - before).toBeGreaterThanOrEqual(3_600_000);

    const after = await read(sim, '/markets?limit=500');
    const slugs = new Set(first.body.map((market: { slug: string }) => market.slug));
    expect(after.body.some((market: { slug: string }) => !slugs.has(market.slug))).toBe(true);
    const ended = after.body.filter(
      (market: { endDate: string; gameStartTime?: string }) =>
        market.gameStartTime === undefined && Date.parse(market.endDate) < body.now_ms - 60_000,
    );
    expect(ended.length).toBeGreaterThan(0);
    expect(ended.every((market: { closed: boolean }) => market.closed)).toBe(true);

    // Every open book was sent twice with the new time: before and after the followers read the clock.
    const open = after.body.filter((market: { closed: boolean; acceptingOrders: boolean }) => market.acceptingOrders);
    const sentAtByPath = new Map<string, number>();
    for (const message of listener.received) {
      if (message.event_type === 'book' && Number(message.timestamp) >= before + 3_600_000) {
        sentAtByPath.set(message.asset_id, (sentAtByPath.get(message.asset_id) ?? 0) + 1);
      }
    }
    for (const market of open.filter(({ slug }: { slug: string }) => slugs.has(slug))) {
      expect(sentAtByPath.get(JSON.parse(market.clobTokenIds)[0]) ?? 0).toBeGreaterThanOrEqual(2);
    }
    listener.close();
    await sim.close();
  });

  it('rejects negative and zero steps and steps beyond a month', async () => {
    const sim = await startVenueSim({ seed: 'clock' });
    for (const seconds of [0, -5, 0.5, 2_592_001, '60', null]) {
      expect((await send(sim, '/control/clock', { advance_seconds: seconds })).status).toBe(400);
    }
    expect((await send(sim, '/control/clock', { seconds: 60 })).status).toBe(400);
    await sim.close();
  });
});
