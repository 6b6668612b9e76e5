import type { VenueMarket } from '@core/market';
import { sampleVenueMarket } from '@core/market/testing';
import { policyDefaults } from '@core/policy';
import { lowerHex } from '@core/position';
import { pricePips, usdPips } from '@core/pricing';
import { systemClock } from '@core/runtime';
import { sampleMarket } from '@core/store/testing';
import { type HttpFaultRule, jsonRpcMethod } from '@core/testkit';
import { conditionalTokensAbi, conditionIdOf, managedTokenIdsOf, tokenIdsOf } from '@core/vault';
import type { VenueClient } from '@core/venue';
import pino from 'pino';
import { encodeFunctionData, type Hex, keccak256, numberToHex, parseAbi, slice, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { syncCatalogueTask } from '../src/markets/syncCatalogue.ts';
import { prepareQuestion } from '../testing/registrations.ts';
import { startTestConnections, type TestConnections } from '../testing/startTestConnections.ts';

/** Fields of a market that YES has won. */
const won = { resolutionStatus: 'resolved', outcomePricePips: [pricePips(10_000n), pricePips(0n)] } as const;

let world: TestConnections;
beforeAll(async () => {
  world = await startTestConnections();
  await world.run('resumeTransactions');
});
// Pauses are counted on the process's own clock, which the test moves: none ends because the machine is busy.
let processMs = 0;
beforeEach(() => {
  processMs = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => processMs);
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => world.close());

const nowMs = Date.now();

/** A listed market whose condition an account has made on chain. */
async function preparedMarket(number: number, oracle: 'listed' | 'refused'): Promise<string> {
  const { deployment, connections } = world;
  const { roles, contracts } = deployment;
  const account = oracle === 'listed' ? roles.oracle : roles.alice;
  const questionId = await prepareQuestion(world, `due ${number}`, account);
  const conditionId = conditionIdOf({ oracle: account.address, questionId });
  const [yesToken, noToken] = tokenIdsOf({ collateralToken: contracts.usdc, conditionId });
  const { discovered } = await connections.store.markets.sync(
    [
      sampleMarket(number, {
        venueMarketId: conditionId,
        questionId,
        oracleAddress: lowerHex(account.address),
        yesTokenId: yesToken.toString(),
        noTokenId: noToken.toString(),
        // The refused ones close soonest and are tried first.
        closeTimeMs: nowMs + 3_600_000 + number * 1_000,
      }),
    ],
    nowMs,
  );
  return discovered[0]?.id ?? '';
}

const requestCount = (): number => world.proxy.requests().length;

/** First pause of a market that could not be read or registered. */
const firstPauseMs = 1_000;

/**
 * Register markets until one is registered: two rounds suffice. A read that a busy machine did not answer in time
 * postpones its market, so that the clock is moved by its pause. Ends with a round in which every market waits.
 */
async function registerUntil(id: string): Promise<void> {
  const { markets } = world.connections.store;
  const isRegistered = async () => ((await markets.byId(id))?.noOutcomeId ?? null) !== null;
  for (let round = 1; round <= 10 && !(await isRegistered()); round += 1) {
    if (round > 2) processMs += firstPauseMs;
    await world.run('registerOutcomes');
    await world.run('indexChain');
  }
  await world.run('registerOutcomes');
  await world.run('registerOutcomes');
}

test('eight markets that always revert do not slow the ninth, and cost less and less', async () => {
  const { markets } = world.connections.store;
  const refusals: string[] = [];
  for (let number = 1; number <= 8; number += 1) refusals.push(await preparedMarket(number, 'refused'));
  const ninth = await preparedMarket(9, 'listed');
  await registerUntil(ninth);
  expect(await markets.byId(ninth)).toMatchObject({ yesOutcomeId: 1, noOutcomeId: 2 });
  expect((await markets.byId(refusals[0] ?? ''))?.yesOutcomeId).toBeNull();
  const before = requestCount();
  await world.run('registerOutcomes');
  expect(requestCount()).toBe(before);
});

const venueAbi = parseAbi([
  'function initializeRequest(bytes29 eventId, address targetContract)',
  'function prepareMigrationCondition(bytes32 legacyCondition)',
]);

/** A listed market of the PositionManager, with a request for its result or without one. */
async function managedMarket(number: number, isRequested: boolean): Promise<string> {
  const { driver, deployment, connections } = world;
  const { oracleAggregator, binaryModule } = deployment.contracts;
  const conditionId = numberToHex((1n << 248n) | (BigInt(number) << 120n), { size: 32 });
  const [yesToken, noToken] = managedTokenIdsOf(conditionId) ?? [];
  const { discovered } = await connections.store.markets.sync(
    [
      sampleMarket(number, {
        venueMarketId: conditionId,
        questionId: conditionId,
        oracleAddress: lowerHex(oracleAggregator),
        yesTokenId: String(yesToken),
        noTokenId: String(noToken),
        closeTimeMs: nowMs + 3_600_000 + number * 1_000,
      }),
    ],
    nowMs,
  );
  const args = [slice(conditionId, 0, 29), binaryModule] as const;
  const data = encodeFunctionData({ abi: venueAbi, functionName: 'initializeRequest', args });
  if (isRequested) await driver.rpc.send(deployment.roles.bob, { to: oracleAggregator, data });
  return discovered[0]?.id ?? '';
}

test('a requested market of the PositionManager is registered; without a request, or migrated, it is postponed', async () => {
  const { markets } = world.connections.store;
  const { driver, deployment } = world;
  const unrequested = await managedMarket(31, false);
  const migrated = await managedMarket(32, true);
  const data = encodeFunctionData({
    abi: venueAbi,
    functionName: 'prepareMigrationCondition',
    args: [numberToHex(32n, { size: 32 })],
  });
  await driver.rpc.send(deployment.roles.bob, { to: deployment.contracts.binaryModule, data });
  const requested = await managedMarket(33, true);
  await registerUntil(requested);
  const outcomesOf = async (id: string) => {
    const record = await markets.byId(id);
    return [record?.yesOutcomeId, record?.noOutcomeId];
  };
  expect(await outcomesOf(requested)).toEqual([expect.any(Number), expect.any(Number)]);
  expect([await outcomesOf(unrequested), await outcomesOf(migrated)]).toEqual([
    [null, null],
    [null, null],
  ]);
  // Nothing was sent for them, and nothing is read until their pause ends.
  const before = requestCount();
  await world.run('registerOutcomes');
  expect(requestCount()).toBe(before);
});

test('payouts are read once they may be there, together, and no more when the market is final', async () => {
  const { store } = world.connections;
  const { driver, deployment } = world;
  const id = await preparedMarket(20, 'listed');
  await world.run('readPayouts');
  expect(world.proxy.requests().some(isPayoutRead)).toBe(false);
  await store.markets.moveStatus(id, 'closed', nowMs);
  await world.run('readPayouts');
  const looks = world.proxy.requests().filter(isPayoutRead).length;
  expect(looks).toBe(1);
  // Nothing yet: put off, until its status moves.
  await world.run('readPayouts');
  expect(world.proxy.requests().filter(isPayoutRead).length).toBe(looks);
  const record = await store.markets.byId(id);
  const args = [record?.questionId as Hex, [1n, 0n]] as const;
  const data = encodeFunctionData({ abi: conditionalTokensAbi, functionName: 'reportPayouts', args });
  await driver.rpc.send(deployment.roles.oracle, { to: deployment.contracts.conditionalTokens, data });
  await store.markets.moveStatus(id, 'determined', nowMs);
  await world.run('readPayouts');
  expect(await store.markets.byId(id)).toMatchObject({ status: 'finalized', payoutNumerators: [1n, 0n] });
  const before = requestCount();
  await world.run('readPayouts');
  expect(requestCount()).toBe(before);
});

const denominatorCall = keccak256(toHex('payoutDenominator(bytes32)')).slice(0, 10);

function isPayoutRead(request: Parameters<HttpFaultRule['matches']>[0]): boolean {
  return jsonRpcMethod('eth_call')(request) && request.bodyText.includes(denominatorCall);
}

/** A market that no allow-listed oracle derives: listed, and never registered. */
function venueMarket(ticker: string, changes: Partial<VenueMarket> = {}): VenueMarket {
  return sampleVenueMarket(ticker, nowMs, {
    conditionId: keccak256(toHex(ticker)),
    questionId: keccak256(toHex(`question of ${ticker}`)),
    tokenIds: { yes: `1${ticker.length}`, no: `2${ticker.length}` },
    event: null,
    series: null,
    isNegRisk: true,
    closeTimeMs: nowMs + 86_400_000,
    volume24hUsdPips: usdPips(123_456_789n),
    ...changes,
  });
}

test('the catalogue writes a row only when a client could see the difference, and forgets what is finished', async () => {
  const { store } = world.connections;
  const catalogue = new Map<string, VenueMarket>();
  const requests: Parameters<VenueClient['cataloguePage']>[0][] = [];
  const task = syncCatalogueTask({
    metrics: world.connections.metrics,
    venue: {
      cataloguePage: async (query) => {
        requests.push(query);
        const markets = [...catalogue.values()].filter(({ conditionId, isClosed }) =>
          query.conditionIds === undefined ? !isClosed : query.conditionIds.includes(conditionId ?? ''),
        );
        return { markets, unreadable: [], nextCursor: null };
      },
    },
    markets: store.markets,
    rules: {
      collateralToken: world.deployment.contracts.usdc,
      oracles: [],
      oracleAggregator: null,
      policy: policyDefaults,
    },
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  });
  const show = (ticker: string, changes: Partial<VenueMarket> = {}): void => {
    catalogue.set(ticker, venueMarket(ticker, changes));
  };
  const versionOf = async (ticker: string) => (await store.markets.byTicker(ticker))?.version;

  show('one');
  show('other');
  await task.run(world.lease);
  const first = await versionOf('one');
  expect(first).toBeDefined();
  // A jitter of seconds, of prices and below a percent of the volume.
  show('one', {
    closeTimeMs: nowMs + 86_400_000,
    volume24hUsdPips: usdPips(123_999_999n),
    liquidityUsdPips: usdPips(7n),
  });
  await task.run(world.lease);
  expect(await versionOf('one')).toBe(first);
  show('one', { volume24hUsdPips: usdPips(124_000_000n) });
  await task.run(world.lease);
  expect(await versionOf('one')).not.toBe(first);

  // It stops: asked for by name, once, then less and less often, and no more when it is final.
  show('one', { isClosed: true, ...won });
  requests.length = 0;
  await task.run(world.lease);
  const one = await store.markets.byTicker('one');
  expect(one?.status).toBe('determined');
  expect(requests.flatMap(({ conditionIds }) => conditionIds ?? [])).toContain(one?.venueMarketId);
  await store.markets.moveStatus(one?.id ?? '', 'finalized', nowMs);
  requests.length = 0;
  await task.run(world.lease);
  expect(requests.flatMap(({ conditionIds }) => conditionIds ?? [])).not.toContain(one?.venueMarketId);
  expect(requests[0]).toMatchObject({ closed: false });
});

test('of a catalogue of several pages each round reads one, and of our own list what changed', async () => {
  const { store } = world.connections;
  const everyMs = 60_000;
  const catalogue = Array.from({ length: 1_200 }, (_, number) =>
    venueMarket(`many-${number}`, {
      tokenIds: { yes: `7${number}`, no: `8${number}` },
      // What closes soonest stands last.
      closeTimeMs: nowMs + (1_201 - number) * everyMs,
    }),
  );
  const requests: Parameters<VenueClient['cataloguePage']>[0][] = [];
  const own = { whole: 0, changed: 0 };
  let clockMs = nowMs;
  const task = syncCatalogueTask({
    metrics: world.connections.metrics,
    venue: {
      cataloguePage: async (query) => {
        requests.push(query);
        const { conditionIds, cursor, limit } = query;
        if (conditionIds !== undefined) {
          const markets = catalogue.filter(({ conditionId }) => conditionIds.includes(conditionId ?? ''));
          return { markets, unreadable: [], nextCursor: null };
        }
        const from = Number(cursor ?? 0);
        const trading = catalogue.filter(({ isClosed }) => !isClosed);
        const end = from + limit;
        const nextCursor = end < trading.length ? String(end) : null;
        return { markets: trading.slice(from, end), unreadable: [], nextCursor };
      },
    },
    markets: {
      ...store.markets,
      unfinalized: async () => {
        own.whole += 1;
        return store.markets.unfinalized();
      },
      changedSince: async (version) => {
        const markets = await store.markets.changedSince(version);
        own.changed += markets.length;
        return markets;
      },
    },
    rules: {
      collateralToken: world.deployment.contracts.usdc,
      oracles: [],
      oracleAggregator: null,
      policy: policyDefaults,
    },
    clock: { nowMs: () => clockMs },
    logger: pino({ level: 'silent' }),
  });
  const lease = { ...world.lease, fenceToken: world.lease.fenceToken + 1n };
  const round = async () => {
    requests.length = 0;
    own.changed = 0;
    await task.run(lease);
    const pages = requests.filter(({ conditionIds }) => conditionIds === undefined).map(({ cursor }) => cursor ?? '0');
    return { pages, names: requests.flatMap(({ conditionIds }) => conditionIds ?? []), requests: requests.length };
  };
  const conditionOf = (number: number): string => catalogue[number]?.conditionId ?? '';
  const statusOf = async (number: number) => (await store.markets.byTicker(`many-${number}`))?.status;

  expect([(await round()).pages, (await round()).pages, (await round()).pages]).toEqual([['0'], ['500'], ['1000']]);
  for (const number of [0, 499, 500, 1_199]) expect(await statusOf(number)).toBe('active');
  // From the second pass on nothing of our own list is read, and what closes next is asked for in one more request.
  for (const page of ['0', '500']) {
    const { pages, names, requests } = await round();
    expect([pages, requests, own]).toEqual([[page], 2, { whole: 1, changed: 0 }]);
    expect(names).toContain(conditionOf(1_199));
    expect(names.length).toBe(50);
  }
  expect(await round()).toMatchObject({ pages: ['1000'], requests: 2 });

  // One stops as it should have, another before its time: by its close, and by a pass that does not come by it.
  Object.assign(catalogue[1_198] ?? {}, { isClosed: true, ...won });
  Object.assign(catalogue[300] ?? {}, { isClosed: true, ...won });
  clockMs += 3 * everyMs;
  expect((await round()).names).toContain(conditionOf(1_198));
  expect([await statusOf(1_198), await statusOf(300)]).toEqual(['determined', 'active']);
  await round();
  expect((await round()).names).toContain(conditionOf(300));
  expect(await statusOf(300)).toBe('determined');
});
