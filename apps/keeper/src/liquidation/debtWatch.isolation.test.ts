import type { Mark, MarketRecord } from '@core/market';
import { sampleVenueMarket } from '@core/market/testing';
import { policyDefaults } from '@core/policy';
import type { Position } from '@core/position';
import { sampleNowMs, samplePosition } from '@core/position/testing';
import { pricePips } from '@core/pricing';
import { sampleMarket } from '@core/store/testing';
import type { MarketTick, WatchHealth } from '@core/venue';
import pino from 'pino';
import { expect, test } from 'vitest';
import { IsolatedItems } from '../runner/isolatedItems.ts';
import { createKeeperMetrics } from '../runner/keeperMetrics.ts';
import { type ChangedPosition, DebtWatch, type MarkFeed } from './debtWatch.ts';

const count = 12;
const poisonIndex = 6;

const health: WatchHealth = {
  socketState: 'open',
  marketCount: 0,
  staleMarketCount: 0,
  staleTickers: [],
  freezeCount: 0,
};

/** Debts, each in a market of its own. */
const owing = Array.from({ length: count }, (_, index): ChangedPosition => {
  const ticker = `market-${index}`;
  const tokens = { yesTokenId: `${index}1`, noTokenId: `${index}2` };
  const listed = sampleMarket(index, { ticker, ...tokens, record: sampleVenueMarket(ticker, sampleNowMs) });
  const market = { ...listed, id: `mkt_${index}`, status: 'active', payoutDenominator: null } as object as MarketRecord;
  const position = samplePosition(index + 1, { marketId: market.id, venueTokenId: tokens.yesTokenId });
  return { position, market };
});
const keyOf = ({ position }: ChangedPosition): string => position.positionKey;
const healthyKeys = owing.filter((_, index) => index !== poisonIndex).map(keyOf);
const poison = owing[poisonIndex] as ChangedPosition;

/** A record of which one field cannot be read. */
function unreadable(position: Position, field: keyof Position): Position {
  const throwing = (): never => {
    throw new Error('poison');
  };
  return Object.defineProperty({ ...position }, field, { get: throwing, enumerable: true });
}

function watchOf(refuses: (tokenId: string) => boolean = () => false) {
  const metrics = createKeeperMetrics();
  const woken: string[] = [];
  let listener: (tick: MarketTick) => void = () => undefined;
  const feed: MarkFeed = {
    watch: () => undefined,
    unwatch: () => undefined,
    health: () => health,
    snapshotOf: () => null,
    onTick: (next) => {
      listener = next;
      return () => undefined;
    },
    mark: (tokenId): Mark => {
      if (refuses(tokenId)) throw new Error('poison');
      return { pricePips: pricePips(1n), isAttestable: true };
    },
  };
  const debts = new DebtWatch(feed, {
    onDue: (positionKeys) => woken.push(...positionKeys),
    onRepaid: () => undefined,
    isHeld: () => true,
    isolated: new IsolatedItems({ name: 'followDebts', logger: pino({ level: 'silent' }), metrics }),
    policy: policyDefaults,
    clock: { nowMs: () => sampleNowMs },
  });
  const failingOf = async (): Promise<number> => (await metrics.failingItems.get()).values[0]?.value ?? 0;
  const tick = (tokenId: string): void => listener({ ticker: 'market', side: 'yes', tokenId, atMs: sampleNowMs });
  return { debts, woken, failingOf, tick };
}

test.each(['chainState', 'tokenUnits', 'liquidationFeeBps', 'quotedRisk', 'collateralUsdcUnits'] as const)(
  'debts: %s of one position cannot be read → the others are followed and due, and the metric says so',
  async (field) => {
    const { debts, woken, failingOf } = watchOf();
    const updates = owing.map((one) => (one === poison ? { ...one, position: unreadable(one.position, field) } : one));
    debts.update(updates, sampleNowMs);
    expect(woken.toSorted()).toEqual(healthyKeys.toSorted());
    expect(debts.size).toBe(count - 1);
    expect(await failingOf()).toBe(1);
    debts.update([poison], sampleNowMs);
    expect(woken).toContain(keyOf(poison));
    expect([debts.size, await failingOf()]).toEqual([count, 0]);
  },
);

test('debts: the token of one position cannot be evaluated → other ticks are, and none ends the feed', async () => {
  const { debts, woken, failingOf, tick } = watchOf((tokenId) => tokenId === poison.position.venueTokenId);
  debts.update(owing, sampleNowMs);
  expect(woken.toSorted()).toEqual(healthyKeys.toSorted());
  for (const { position } of owing) tick(position.venueTokenId);
  expect(await failingOf()).toBe(1);
});
