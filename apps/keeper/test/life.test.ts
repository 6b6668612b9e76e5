import { isShownChange, type Position } from '@core/position';
import { raw, usdPips } from '@core/pricing';
import { keeperHeartbeatOf } from '@core/runtime';
import { conditionalTokensAbi } from '@core/vault';
import { encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { intentsOfSubject, ofOperation } from '../src/transactions/intents.ts';
import { netReceivedOf } from '../testing/expectPaidOut.ts';
import { isLastingCrypto, startTestStack, type TestStack } from '../testing/startTestStack.ts';
import { lastAnnouncedOf, namedTypesOf } from '../testing/writtenEvents.ts';

let stack: TestStack;
let keeper: Keeper;

beforeAll(async () => {
  stack = await startTestStack({ isListed: isLastingCrypto });
  keeper = await stack.startKeeper();
});
afterAll(async () => {
  await keeper.close();
  await stack.close();
});

const eventTypesOf = ({ id }: Position): Promise<readonly string[]> => namedTypesOf(stack.store, id);

// Each position has a user and a market of its own, so they live side by side.
describe.concurrent('a position', () => {
  test('opens by a real match, closes by request, and the ledger agrees with the chain', async () => {
    const market = await stack.tradableMarket();
    const { alice } = stack.deployment.roles;
    const before = await stack.driver.usdcOf(alice.address);
    const position = await stack.open({ user: alice, market });
    const openRecord = await stack.reaches(position, 'open');
    const onChain = await stack.driver.positionOf(position);
    expect(raw(openRecord.tokenUnits)).toBe(onChain.tokenUnits);
    expect(raw(openRecord.principalUsdcUnits)).toBe(onChain.principalUsdcUnits);
    expect(openRecord.partnerId).toBe(stack.partnerId);

    await stack.driver.requestClose({ position, sender: alice, tokenUnits: onChain.tokenUnits });
    const closedRecord = await stack.reaches(position, 'closed');
    const after = await stack.driver.usdcOf(alice.address);
    // Everything that left and came back is in the record, to the unit.
    expect(after - before).toBe(netReceivedOf(closedRecord));
    expect(closedRecord).toMatchObject({ closeReason: 'closed', chainState: 'closed' });
    expect(raw(closedRecord.totalOpenVenueFeeUsdcUnits)).toBeGreaterThan(0n);
    expect(raw(closedRecord.totalSaleVenueFeeUsdcUnits)).toBeGreaterThan(0n);
    expect(await eventTypesOf(closedRecord)).toEqual([
      'position.created',
      'position.opening',
      'position.opened',
      'position.close_requested',
      'position.closed',
    ]);
    const transactions = await stack.store.positions.transactions(position.positionKey);
    expect(transactions.map(({ group }) => group)).toEqual(['open', 'open', 'open', 'close', 'close', 'close']);
    expect(transactions.filter(({ exchangeTransactionHashes }) => exchangeTransactionHashes.length === 1).length).toBe(
      2,
    );
    const usage = await stack.store.usage.reservation(position.positionKey);
    expect(usage).toMatchObject({ state: 'used', activeNotionalUsdPips: 0n, lentBorrowUsdcUnits: 0n });
  });

  test('closes in part and keeps the rest', async () => {
    const market = await stack.tradableMarket();
    const { bob } = stack.deployment.roles;
    const position = await stack.open({ user: bob, market, side: 'no' });
    const openRecord = await stack.reaches(position, 'open');
    const part = raw(openRecord.tokenUnits) / 2n;
    await stack.driver.requestClose({ position, sender: bob, tokenUnits: part });
    const reduced = await stack.until('a part to be closed', async () => {
      const record = await stack.store.positions.byKey(position.positionKey);
      return record !== null && raw(record.tokenUnits) < raw(openRecord.tokenUnits) && record.status === 'open'
        ? record
        : undefined;
    });
    const onChain = await stack.driver.positionOf(position);
    expect(raw(reduced.tokenUnits)).toBe(onChain.tokenUnits);
    expect(raw(reduced.principalUsdcUnits)).toBe(onChain.principalUsdcUnits);
    expect(raw(reduced.pendingLifetimeFeeUsdcUnits)).toBe(onChain.pendingFeeUsdcUnits);
    const [partial, ...others] = await stack.store.positions.partialCloses(position.positionKey);
    expect(others).toEqual([]);
    expect(raw(partial?.soldTokenUnits ?? reduced.tokenUnits)).toBe(raw(openRecord.tokenUnits) - onChain.tokenUnits);
    const types = await eventTypesOf(reduced);
    expect(types.slice(0, 5)).toEqual([
      'position.created',
      'position.opening',
      'position.opened',
      'position.partial_close_requested',
      'position.partial_close_initiated',
    ]);
    // A killed order is aborted and tried again before one is filled.
    expect(types.at(-1)).toBe('position.partial_closed');
  });

  test('opens in part: the floor first, then the rest', async () => {
    const market = await stack.tradableMarket();
    const position = await stack.open({ user: stack.deployment.roles.bob, market, minFillBps: 5_000 });
    const openRecord = await stack.reaches(position, 'open');
    expect(openRecord).toMatchObject({ allowPartialFill: true, minFillBps: 5_000n, contractMinFillBps: 5_000n });
    expect(raw(openRecord.spentUsdcUnits ?? usdPips(0n)) * 100n).toBeGreaterThanOrEqual(
      raw(openRecord.quotedNotionalUsdcUnits) * 99n,
    );
    const posts = ofOperation(await intentsOfSubject(stack.store.intents, position.positionKey), 'post_open');
    expect(posts.map(({ plan }) => plan.orderType).slice(0, 2)).toEqual(['FOK', 'FAK']);
    const openings = (await stack.store.positions.transactions(position.positionKey)).filter(
      ({ group }) => group === 'open',
    );
    expect(openings.flatMap(({ exchangeTransactionHashes }) => exchangeTransactionHashes).length).toBeGreaterThan(1);
  });

  test('is refunded when its minimum cannot be met, and says why', async () => {
    const market = await stack.tradableMarket();
    const { carol } = stack.deployment.roles;
    const before = await stack.driver.usdcOf(carol.address);
    // Twice the tokens the book gives: no order within that bound is ever large enough.
    const position = await stack.open({ user: carol, market, minPositionTokenUnits: 10n ** 12n });
    const reverted = await stack.reaches(position, 'cancelled');
    expect(reverted).toMatchObject({ closeReason: 'reverted', failureReason: 'minimum_tokens_unreachable' });
    expect(await stack.driver.usdcOf(carol.address)).toBe(before);
    expect(await stack.store.usage.reservation(position.positionKey)).toMatchObject({ activeNotionalUsdPips: 0n });
    expect(await eventTypesOf(reverted)).toEqual([
      'position.created',
      'notification',
      'notification',
      'position.reverted',
      'notification',
    ]);
    expect((await stack.store.intents.ofSubject(position.positionKey, ['authorize_open'])).length).toBe(3);
  });

  test('F10: is refunded when every match failed, and the venue kept nothing', async () => {
    const market = await stack.tradableMarket();
    const { dave } = stack.deployment.roles;
    const before = await stack.driver.usdcOf(dave.address);
    await stack.scenario('ghost_fill', market, { count: 3, retries: 0 });
    const position = await stack.open({ user: dave, market });
    const reverted = await stack.reaches(position, 'cancelled');
    expect(reverted).toMatchObject({ closeReason: 'reverted', failureReason: 'ghost_fill' });
    expect(await stack.driver.usdcOf(dave.address)).toBe(before);
    const types = await eventTypesOf(reverted);
    expect(types.filter((type) => type === 'notification').length).toBe(3);
    expect(types).toContain('position.reverted');
    expect(await stack.store.usage.reservation(position.positionKey)).toMatchObject({ activeNotionalUsdPips: 0n });
  });

  test('is cancelled by its owner before any order', async () => {
    const market = await stack.tradableMarket();
    const { erin } = stack.deployment.roles;
    const before = await stack.driver.usdcOf(erin.address);
    // No order fits, so none is live when the owner cancels.
    const position = await stack.open({ user: erin, market, minPositionTokenUnits: 10n ** 12n });
    await stack.driver.cancelPosition(position, erin);
    const cancelled = await stack.reaches(position, 'cancelled');
    expect(cancelled).toMatchObject({ closeReason: 'cancelled', failureReason: null });
    expect(await stack.driver.usdcOf(erin.address)).toBe(before);
    const transactions = await stack.store.positions.transactions(position.positionKey);
    expect(transactions.map(({ group }) => group)).toEqual(['open', 'cancel']);
  });

  test('without a stored quote → nothing is lent, and everything comes back', async () => {
    const market = await stack.tradableMarket();
    const position = await stack.open({ user: stack.deployment.roles.bob, market, isStored: false });
    const ended = await stack.reaches(position, 'cancelled');
    expect(ended).toMatchObject({ quoteId: null, closeReason: 'reverted', failureReason: 'order_not_allowed' });
    const intents = await stack.store.intents.ofSubject(position.positionKey);
    expect(intents.map(({ operation }) => operation)).toEqual(['refund']);
    expect(await stack.driver.usdcOf(position.account)).toBe(0n);
  });

  test('F27: puts a close off until settlement when the market resolves first, and says so at once', async () => {
    const { bob } = stack.deployment.roles;
    const market = await stack.tradableMarket();
    const position = await stack.open({ user: bob, market });
    const openRecord = await stack.reaches(position, 'open');
    await stack.scenario('propose', market, { outcome: 'yes' });
    await stack.scenario('dispute', market, { seconds: 600 });
    await stack.driver.requestClose({ position, sender: bob, tokenUnits: raw(openRecord.tokenUnits) });
    const deferred = await stack.until('the close to be put off', async () => {
      const record = await stack.store.positions.byKey(position.positionKey);
      return record?.closeDeferredAtMs === null ? undefined : (record ?? undefined);
    });
    expect(deferred.status).toBe('open');
    await stack.scenario('resolve', market, { outcome: 'yes' });
    expect((await stack.reaches(position, 'settled')).closeReason).toBe('settled');
  });

  test('F27: is paid by the outcome that was flipped in a dispute, once', async () => {
    const { bob } = stack.deployment.roles;
    const market = await stack.tradableMarket();
    const position = await stack.open({ user: bob, market, side: 'yes' });
    const openRecord = await stack.reaches(position, 'open');
    await stack.scenario('propose', market, { outcome: 'no' });
    await stack.scenario('dispute', market, { seconds: 3_600 });
    await stack.until('the dispute to be seen', async () =>
      (await stack.store.markets.byId(market.id))?.status === 'disputed' ? true : undefined,
    );
    expect(await stack.reaches(position, 'open')).toMatchObject({ tokenUnits: openRecord.tokenUnits });
    await stack.scenario('flip', market);
    await stack.scenario('resolve', market, { outcome: 'yes' });
    const settledRecord = await stack.reaches(position, 'settled');
    const debt = raw(openRecord.principalUsdcUnits) + raw(settledRecord.collectedLifetimeFeeUsdcUnits);
    expect(raw(settledRecord.proceedsUsdcUnits)).toBe(raw(openRecord.tokenUnits) - debt);
    const settles = await stack.store.intents.ofSubject(position.positionKey, ['settle']);
    expect(settles.filter(({ state }) => state === 'included' || state === 'final').length).toBe(1);
  });

  test("F27: settles by the chain's payouts, won and void, as the oracle said", async () => {
    const { bob } = stack.deployment.roles;
    const first = await stack.tradableMarket();
    const won = await stack.open({ user: bob, market: first });
    const openRecord = await stack.reaches(won, 'open');
    const second = await stack.tradableMarket();
    const split = await stack.open({ user: bob, market: second });
    const splitRecord = await stack.reaches(split, 'open');
    await stack.scenario('resolve', first, { outcome: 'yes' });
    const settledRecord = await stack.reaches(won, 'settled');
    expect(settledRecord.closeReason).toBe('settled');
    // One dollar a token, less the debt and its fee.
    const debt = raw(openRecord.principalUsdcUnits) + raw(settledRecord.collectedLifetimeFeeUsdcUnits);
    expect(raw(settledRecord.proceedsUsdcUnits)).toBe(raw(openRecord.tokenUnits) - debt);
    // The market's own status follows in a statement of its own.
    const record = await stack.until('the market to be final', async () => {
      const record = await stack.store.markets.byId(first.id);
      return record?.status === 'finalized' ? record : undefined;
    });
    expect(record).toMatchObject({ payoutNumerators: [1n, 0n], payoutDenominator: 1n });
    expect(await eventTypesOf(settledRecord)).toContain('position.settlement_state_changed');
    const groups = (await stack.store.positions.transactions(won.positionKey)).map(({ group }) => group);
    expect(groups.slice(-2)).toEqual(['settle', 'redemption']);

    await stack.scenario('void', second);
    const voided = await stack.reaches(split, 'settled');
    expect(raw(voided.proceedsUsdcUnits)).toBe(
      raw(splitRecord.tokenUnits) / 2n -
        raw(splitRecord.principalUsdcUnits) -
        raw(voided.collectedLifetimeFeeUsdcUnits),
    );
  });
});

// Alone: while an oracle is stopped, no market of it can be opened in.
describe('an oracle', () => {
  test('F27: is paid by measurement whatever the oracle reports, and what no market can mean stops the oracle', async () => {
    const { oracle, erin } = stack.deployment.roles;
    const market = await stack.tradableMarket();
    const other = await stack.tradableMarket();
    const position = await stack.open({ user: erin, market, side: 'yes' });
    const openRecord = await stack.reaches(position, 'open');
    await stack.scenario('propose', market, { outcome: 'yes' });
    await stack.driver.rpc.send(oracle, {
      to: stack.deployment.contracts.conditionalTokens,
      data: encodeFunctionData({
        abi: conditionalTokensAbi,
        functionName: 'reportPayouts',
        args: [market.questionId as Hex, [3n, 1n]],
      }),
    });
    const settledRecord = await stack.reaches(position, 'settled');
    const paid = (raw(openRecord.tokenUnits) * 3n) / 4n;
    const owed = raw(openRecord.principalUsdcUnits) + raw(settledRecord.collectedLifetimeFeeUsdcUnits);
    expect(raw(settledRecord.proceedsUsdcUnits)).toBe(paid - owed);
    const [stopped] = await stack.store.oracles.stopped();
    expect(stopped).toMatchObject({ address: oracle.address.toLowerCase(), reason: `paid 3 to 1 in ${market.ticker}` });
    const metrics = await (await fetch(`${keeper.metricsUrl}/metrics`)).text();
    expect(metrics).toMatch(/^keeper_strange_payouts_total 1$/m);
    // No market of the oracle is quoted on, until an operator resumes it.
    expect((await stack.store.markets.byId(other.id))?.disabledReason).toBe('oracle_stopped');
    await stack.store.oracles.resume(oracle.address, Date.now());
    expect((await stack.store.markets.byId(other.id))?.disabledReason).toBeNull();
  });
});

describe('the keeper', () => {
  test('gives back what unused quotes reserved, and reports itself', async () => {
    const { store } = stack;
    const name = keeperHeartbeatOf(stack.deployment.roles.keeper.address);
    expect((await store.heartbeats.byName(name))?.lastSuccessAtMs).toBeGreaterThan(0);
    const ready = await fetch(`${keeper.metricsUrl}/readyz`);
    expect(ready.status).toBe(200);
    const { tasks } = (await ready.json()) as { readonly tasks: readonly object[] };
    expect(tasks).toContainEqual(expect.objectContaining({ name: 'advanceDue', is_silent: false }));
    const metrics = await (await fetch(`${keeper.metricsUrl}/metrics`)).text();
    expect(metrics).toContain('keeper_task_seconds_count{task="advancePositions"}');
    expect(metrics).toMatch(/^keeper_unknown_quotes \d+$/m);
    expect(metrics).toMatch(/^keeper_followed_debts \d+$/m);
    expect(metrics).toMatch(/^keeper_due_debts\{reason="liquidation"\} 0$/m);
    expect(metrics).toMatch(/^keeper_stale_markets \d+$/m);
  });

  test('leaves a ledger that the chain confirms to the unit', async () => {
    const { store, driver } = stack;
    const chainKey = `${stack.deployment.chainId}:${stack.deployment.contracts.vault.toLowerCase()}`;
    const created = await store.chain.eventsNamed(chainKey, 'PositionCreated');
    expect(created.length).toBeGreaterThan(6);
    for (const { subject } of created) {
      const record = await store.positions.byKey(subject ?? '');
      const positionKey = subject as `0x${string}`;
      const onChain = await driver.positionOf({ positionKey } as Parameters<typeof driver.positionOf>[0]);
      expect([raw(record?.tokenUnits ?? usdPips(-1n)), raw(record?.principalUsdcUnits ?? usdPips(-1n))]).toEqual([
        onChain.tokenUnits,
        onChain.principalUsdcUnits,
      ]);
    }
  });

  test('ends each stream of events with what is stored', async () => {
    const { store } = stack;
    const chainKey = `${stack.deployment.chainId}:${stack.deployment.contracts.vault.toLowerCase()}`;
    for (const { subject } of await store.chain.eventsNamed(chainKey, 'PositionCreated')) {
      const isAnnounced = async (): Promise<boolean> => {
        const record = await store.positions.byKey(subject ?? '');
        if (record === null) throw new Error('a created position is stored');
        const announced = await lastAnnouncedOf(store, record.id);
        if (record.partnerId === null) return announced === undefined;
        return announced !== undefined && !isShownChange(announced, record);
      };
      // Events behind a transaction that still runs are not readable yet.
      expect(await stack.until('the last event', async () => ((await isAnnounced()) ? true : undefined))).toBe(true);
    }
  });
});
