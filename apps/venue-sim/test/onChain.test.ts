import {
  deployLocal,
  type LocalChain,
  type LocalDeployment,
  LocalDriver,
  type LocalMarket,
  startLocalChain,
} from '@core/contracts/local';
import {
  accountSignature,
  conditionalTokensAbi,
  OrderSide,
  PositionState,
  Purpose,
  tokenIdsOf,
  type VenueDomain,
  vaultAbi,
  venueExchangeAbi,
} from '@core/vault';
import { encodeFunctionData, erc20Abi, type Hex, zeroHash } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVenueSim, type VenueSim } from '../src/startVenueSim.ts';
import type { RunningMarket } from '../src/venue/marketRegistry.ts';
import { listPlainMarket } from '../testing/plainMarket.ts';
import { eventually, play, read, send } from '../testing/simHttp.ts';
import { SocketListener } from '../testing/socketListener.ts';
import { orderBody, Trader } from '../testing/trader.ts';

const unitsOfTokens = (tokens: bigint): bigint => tokens * 1_000_000n;

describe('a venue that settles on a real local chain', () => {
  let chain: LocalChain;
  let deployment: LocalDeployment;
  let driver: LocalDriver;
  let sim: VenueSim;
  let alice: Trader;
  let bob: Trader;

  beforeAll(async () => {
    chain = await startLocalChain();
    deployment = await deployLocal({ rpcUrl: chain.rpcUrl });
    driver = new LocalDriver({ rpcUrl: chain.rpcUrl, deployment });
    const { contracts, roles, chainId, venueDomain } = deployment;
    sim = await startVenueSim({
      rpcUrl: chain.rpcUrl,
      chainId,
      contracts,
      venueDomain,
      operatorKey: roles.venueOperator.privateKey,
      oracleKey: roles.oracle.privateKey,
      makerKeys: roles.makers.map((maker) => maker.privateKey),
      takerKeys: roles.takers.map((taker) => taker.privateKey),
      settlementTimes: { retryMs: 100, confirmMs: 100 },
    });
    const domain: VenueDomain = { ...venueDomain, chainId, exchange: contracts.exchange };
    alice = new Trader(roles.alice.privateKey, domain);
    bob = new Trader(roles.bob.privateKey, domain);
    for (const account of [roles.alice, roles.bob]) {
      await driver.approveUsdc(account, contracts.exchange);
      await driver.approveUsdc(account, contracts.conditionalTokens);
      await driver.rpc.send(account, {
        to: contracts.conditionalTokens,
        data: encodeFunctionData({
          abi: conditionalTokensAbi,
          functionName: 'setApprovalForAll',
          args: [contracts.exchange, true],
        }),
      });
    }
  });

  /** Bought in one test and sold in the next. */
  let traded: RunningMarket;

  afterAll(async () => {
    await sim?.close();
    await chain?.close();
  });

  const tokens = (owner: `0x${string}`, running: RunningMarket, outcome: 0 | 1): Promise<bigint> =>
    driver.tokensOf(owner, {
      conditionId: running.market.definition.conditionId,
      tokenId: running.market.tokenIdOf(outcome),
    });

  const marketLike = (part: string): RunningMarket => {
    const running = sim.venue.markets.listed.find(
      ({ market }) => market.slug.includes(part) && market.stage === 'trading' && !market.definition.isNegRisk,
    );
    if (running === undefined) throw new Error(`no market like ${part}`);
    return running;
  };

  /** Return a market without simulated makers, in which only the test trades. */
  const quietMarket = (part: string): RunningMarket => {
    const running = marketLike(part);
    running.market.effects.stale(Number.MAX_SAFE_INTEGER);
    running.making.withdraw();
    return running;
  };

  const marketTokens = ({ market: { definition } }: RunningMarket): LocalMarket => {
    const { questionId, conditionId, tokenIds } = definition;
    const [yes, no] = tokenIds.map((tokenId) => ({ conditionId, tokenId })) as [LocalMarket['yes'], LocalMarket['yes']];
    return { questionId, yes, no };
  };

  const settledTrades = (orderId: string) =>
    eventually(
      async () => (await read(sim, `/data/trades?order_id=${orderId}`)).body.data,
      (trades) => trades.every((trade: { status: string }) => ['CONFIRMED', 'FAILED'].includes(trade.status)),
    );

  it('lists conditions on chain and serves ids that derive from them', async () => {
    const { conditionId, tokenIds } = marketLike('bitcoin-up-or-down-on').market.definition;
    const { usdc } = deployment.contracts;
    const slots = await driver.rpc.client.readContract({
      address: deployment.contracts.conditionalTokens,
      abi: conditionalTokensAbi,
      functionName: 'getOutcomeSlotCount',
      args: [conditionId],
    });
    expect(slots).toBe(2n);
    expect(tokenIds).toEqual(tokenIdsOf({ collateralToken: usdc, conditionId }));
  });

  it('settles a FOK purchase against the ladder: transfers and mints, money and fee to the unit', async () => {
    // At even odds: the price of a market of the world depends on the hour.
    traded = await listPlainMarket(sim.venue);
    const running = traded;
    const { market } = running;
    const usdcBefore = await driver.usdcOf(alice.address);
    const ask = market.bestAskPips(0) ?? 0n;
    const order = alice.sign({
      tokenId: market.tokenIdOf(0),
      side: 'BUY',
      pricePips: ask + 200n,
      tokenUnits: unitsOfTokens(4_000n),
    });
    const { status, body } = await send(sim, '/order', orderBody(order, 'FOK'));
    expect([status, body.errorMsg, body.status]).toEqual([200, '', 'matched']);
    const [trade] = await settledTrades(body.orderID);
    expect(trade.status).toBe('CONFIRMED');
    // Both makers of every level took part: one sells YES, the other buys NO.
    const sides = new Set(trade.maker_orders.map((fill: { side: string }) => fill.side));
    expect(sides).toEqual(new Set(['BUY', 'SELL']));
    const bought = await tokens(alice.address, running, 0);
    expect(bought).toBe(BigInt(Math.round(Number(body.takingAmount) * 1e6)));
    const paid = usdcBefore - (await driver.usdcOf(alice.address));
    const making = BigInt(Math.round(Number(body.makingAmount) * 1e6));
    const fee = BigInt(Math.round(Number(trade.taker_fee) * 1e6));
    expect(fee).toBeGreaterThan(0n);
    expect(paid).toBe(making + fee);
    // A purchase that must fill spends its money: at most a cent is left.
    expect(order.makerAmount - making).toBeLessThan(10_000n);
    const [isFilled, remaining] = await driver.rpc.client.readContract({
      address: deployment.contracts.exchange,
      abi: venueExchangeAbi,
      functionName: 'getOrderStatus',
      args: [body.orderID as Hex],
    });
    expect(isFilled ? 0n : remaining).toBe(order.makerAmount - making);
  });

  it('settles a sale: merges and transfers, fee out of the proceeds', async () => {
    const running = traded;
    const { market } = running;
    const tokenBalance = await tokens(alice.address, running, 0);
    const usdcBefore = await driver.usdcOf(alice.address);
    const order = alice.sign({
      tokenId: market.tokenIdOf(0),
      side: 'SELL',
      pricePips: (market.bestBidPips(0) ?? 0n) - 300n,
      tokenUnits: tokenBalance - (tokenBalance % 10_000n),
    });
    const { body } = await send(sim, '/order', orderBody(order, 'FOK'));
    expect(body.status).toBe('matched');
    const [trade] = await settledTrades(body.orderID);
    expect(trade.status).toBe('CONFIRMED');
    const taking = BigInt(Math.round(Number(body.takingAmount) * 1e6));
    const fee = BigInt(Math.round(Number(trade.taker_fee) * 1e6));
    expect((await driver.usdcOf(alice.address)) - usdcBefore).toBe(taking - fee);
    expect(await tokens(alice.address, running, 0)).toBe(tokenBalance % 10_000n);
  });

  it('mints a pair when two outsiders buy both sides and merges it when both sell', async () => {
    const running = quietMarket('ethereum-up-or-down-on');
    const { market } = running;
    const size = unitsOfTokens(40n);
    const buyNo = bob.sign({ tokenId: market.tokenIdOf(1), side: 'BUY', pricePips: 4_000n, tokenUnits: size });
    const resting = await send(sim, '/order', orderBody(buyNo, 'GTC', 'bob'));
    expect(resting.body.status).toBe('live');
    const buyYes = alice.sign({ tokenId: market.tokenIdOf(0), side: 'BUY', pricePips: 6_000n, tokenUnits: size });
    const minted = await send(sim, '/order', orderBody(buyYes, 'FOK', 'alice'));
    expect(minted.body.status).toBe('matched');
    expect((await settledTrades(minted.body.orderID))[0].status).toBe('CONFIRMED');
    expect(await tokens(alice.address, running, 0)).toBe(size);
    expect(await tokens(bob.address, running, 1)).toBe(size);
    const bobsOrder = await read(sim, `/data/order/${resting.body.orderID}`);
    expect([bobsOrder.body.status, bobsOrder.body.size_matched]).toEqual(['MATCHED', '40']);

    const usdcBefore = await driver.usdcOf(bob.address);
    const sellNo = bob.sign({ tokenId: market.tokenIdOf(1), side: 'SELL', pricePips: 3_500n, tokenUnits: size });
    expect((await send(sim, '/order', orderBody(sellNo, 'GTC', 'bob'))).body.status).toBe('live');
    const sellYes = alice.sign({ tokenId: market.tokenIdOf(0), side: 'SELL', pricePips: 6_500n, tokenUnits: size });
    const merged = await send(sim, '/order', orderBody(sellYes, 'FAK', 'alice'));
    expect(merged.body.status).toBe('matched');
    expect((await settledTrades(merged.body.orderID))[0].status).toBe('CONFIRMED');
    expect(await tokens(alice.address, running, 0)).toBe(0n);
    expect(await tokens(bob.address, running, 1)).toBe(0n);
    expect((await driver.usdcOf(bob.address)) - usdcBefore).toBe((size * 3_500n) / 10_000n);
  });

  it('settles a resting order when a maker’s quote crosses it', async () => {
    const running = await listPlainMarket(sim.venue);
    const { market } = running;
    const order = alice.sign({
      tokenId: market.tokenIdOf(0),
      side: 'BUY',
      pricePips: 4_900n,
      tokenUnits: unitsOfTokens(50n),
    });
    const placed = await send(sim, '/order', orderBody(order, 'GTC', 'alice'));
    expect(placed.body.status).toBe('live');
    await play(sim, 'crash', { market: market.slug, params: { to: '0.3' } });
    const state = (await read(sim, `/data/order/${placed.body.orderID}`)).body;
    expect([state.status, state.size_matched]).toEqual(['MATCHED', '50']);
    const trades = await settledTrades(placed.body.orderID);
    expect(trades.every((trade: { status: string }) => trade.status === 'CONFIRMED')).toBe(true);
    expect(await tokens(alice.address, running, 0)).toBe(unitsOfTokens(50n));
  });

  it('refuses a foreign signature, missing money and a contract maker that does not sign', async () => {
    const { market } = marketLike('solana-up-or-down-on');
    const intent = {
      tokenId: market.tokenIdOf(0),
      side: 'BUY',
      pricePips: 5_000n,
      tokenUnits: unitsOfTokens(10n),
    } as const;
    const good = alice.sign(intent);
    const forged = { ...good, signature: bob.sign(intent).signature };
    expect((await send(sim, '/order', orderBody(forged, 'GTC'))).body.errorMsg).toContain('invalid signature');
    const contractMaker = {
      ...good,
      maker: deployment.contracts.usdc,
      signer: deployment.contracts.usdc,
      signatureType: 3,
    };
    expect((await send(sim, '/order', orderBody(contractMaker, 'GTC'))).body.errorMsg).toContain('invalid signature');
    const tooLarge = alice.sign({ ...intent, tokenUnits: unitsOfTokens(100_000_000n) });
    expect((await send(sim, '/order', orderBody(tooLarge, 'GTC'))).body.errorMsg).toContain('not enough balance');
    const sale = alice.sign({ ...intent, side: 'SELL' });
    expect((await send(sim, '/order', orderBody(sale, 'GTC'))).body.errorMsg).toContain('not enough balance');
  });

  it('matches a ghost fill and reverts it on chain: no account holds anything', async () => {
    const running = await listPlainMarket(sim.venue);
    const { market } = running;
    await play(sim, 'ghost_fill', { market: market.slug, params: { count: 1, retries: 1 } });
    const usdcBefore = await driver.usdcOf(alice.address);
    const order = alice.sign({
      tokenId: market.tokenIdOf(0),
      side: 'BUY',
      pricePips: (market.bestAskPips(0) ?? 0n) + 100n,
      tokenUnits: unitsOfTokens(20n),
    });
    const listener = await SocketListener.open(sim, 'user', { type: 'user', auth: { apiKey: 'ghost' }, markets: [] });
    const { body } = await send(sim, '/order', orderBody(order, 'FOK', 'ghost'));
    expect(body.status).toBe('matched');
    const failed = await listener.waitFor((message) => message.status === 'FAILED');
    const retrying = await listener.waitFor((message) => message.status === 'RETRYING');
    listener.close();
    expect(failed.transaction_hash).not.toBe(retrying.transaction_hash);
    const [trade] = await settledTrades(body.orderID);
    expect([trade.status, trade.transaction_hash]).toEqual(['FAILED', failed.transaction_hash]);
    const receipt = await driver.rpc.client.getTransactionReceipt({ hash: failed.transaction_hash });
    expect(receipt.status).toBe('reverted');
    expect(await tokens(alice.address, running, 0)).toBe(0n);
    expect(await driver.usdcOf(alice.address)).toBe(usdcBefore);
  });

  const statusOf = (orderId: Hex) =>
    driver.rpc.client.readContract({
      address: deployment.contracts.exchange,
      abi: venueExchangeAbi,
      functionName: 'getOrderStatus',
      args: [orderId],
    });

  it('charges both sides: on top of purchases, out of sales, directly and through pairs', async () => {
    const { roles } = deployment;
    const receiver = roles.venueFeeRecipient.address;
    for (const token of ['yes', 'no'] as const) {
      const running = await listPlainMarket(sim.venue);
      const { market } = running;
      await play(sim, 'quote_token', { market: market.slug, params: { token } });
      await play(sim, 'maker_fees', { market: market.slug });
      for (const side of ['BUY', 'SELL'] as const) {
        const best = (side === 'BUY' ? market.bestAskPips(0) : market.bestBidPips(0)) ?? 0n;
        const feesBefore = await driver.usdcOf(receiver);
        const usdcBefore = await driver.usdcOf(alice.address);
        const order = alice.sign({
          tokenId: market.tokenIdOf(0),
          side,
          pricePips: best,
          tokenUnits: unitsOfTokens(20n),
        });
        const { body } = await send(sim, '/order', orderBody(order, 'FOK'));
        const [trade] = await settledTrades(body.orderID);
        expect([trade.status, trade.maker_orders[0].side === side]).toEqual(['CONFIRMED', token === 'no']);
        const fee = BigInt(Math.round(Number(trade.taker_fee) * 1e6));
        const cash = (unitsOfTokens(20n) * best) / 10_000n;
        const moved = (await driver.usdcOf(alice.address)) - usdcBefore;
        expect(moved).toBe(side === 'BUY' ? -cash - fee : cash - fee);
        // One maker at one price: its fee is the taker's, to the ten units the venue rounds to.
        const fees = (await driver.usdcOf(receiver)) - feesBefore;
        expect(fees - fee * 2n).toBeLessThanOrEqual(10n);
        expect(fees - fee * 2n).toBeGreaterThanOrEqual(-10n);
      }
    }
  });

  it('settles a gross purchase, and the exchange refunds the part that a mint does not use', async () => {
    const running = await listPlainMarket(sim.venue);
    const { market } = running;
    await play(sim, 'quote_token', { market: market.slug, params: { token: 'no' } });
    await play(sim, 'gross_fill', { market: market.slug });
    const best = market.bestAskPips(0) ?? 0n;
    const order = alice.sign({
      tokenId: market.tokenIdOf(0),
      side: 'BUY',
      pricePips: best + 500n,
      tokenUnits: unitsOfTokens(20n),
    });
    const usdcBefore = await driver.usdcOf(alice.address);
    const { body } = await send(sim, '/order', orderBody(order, 'FAK'));
    const [trade] = await settledTrades(body.orderID);
    expect(trade.status).toBe('CONFIRMED');
    const fee = BigInt(Math.round(Number(trade.taker_fee) * 1e6));
    const making = BigInt(Math.round(Number(body.makingAmount) * 1e6));
    expect(usdcBefore - (await driver.usdcOf(alice.address))).toBe(making + fee);
    const [isFilled, remaining] = await statusOf(body.orderID);
    expect(order.makerAmount - (isFilled ? 0n : remaining)).toBe(order.makerAmount);
    expect(making).toBeLessThanOrEqual(order.makerAmount);
  });

  it('oversells where direct fills are loose: a sale of a quarter sells all, and the status knows nothing', async () => {
    const running = await listPlainMarket(sim.venue);
    const { market } = running;
    await driver.mintTokens(deployment.roles.alice, marketTokens(running), unitsOfTokens(40n));
    const params = { makers_take_tokens: '40' };
    await play(sim, 'quote_token', { market: market.slug, params: { token: 'yes' } });
    await play(sim, 'loose_fills', { market: market.slug, params });
    const order = alice.sign({
      tokenId: market.tokenIdOf(0),
      side: 'SELL',
      pricePips: market.bestBidPips(0) ?? 0n,
      tokenUnits: unitsOfTokens(10n),
    });
    const { body } = await send(sim, '/order', orderBody(order, 'FOK'));
    const [trade] = await settledTrades(body.orderID);
    expect([trade.status, trade.size]).toEqual(['CONFIRMED', '10']);
    expect(await tokens(alice.address, running, 0)).toBe(0n);
    expect(await statusOf(body.orderID)).toEqual([true, 0n]);
    await play(sim, 'loose_fills', { market: market.slug, params: { on: false } });
  });

  it('fills nothing of an account that the operator has paused', async () => {
    const running = await listPlainMarket(sim.venue);
    const { market } = running;
    const trade = async () => {
      const order = alice.sign({
        tokenId: market.tokenIdOf(0),
        side: 'BUY',
        pricePips: (market.bestAskPips(0) ?? 0n) + 100n,
        tokenUnits: unitsOfTokens(20n),
      });
      const { body } = await send(sim, '/order', orderBody(order, 'FOK'));
      return (await settledTrades(body.orderID))[0].status;
    };
    await play(sim, 'operator_pause', { params: { account: alice.address } });
    expect(await trade()).toBe('FAILED');
    await play(sim, 'operator_pause', { params: { account: alice.address, paused: false } });
    expect(await trade()).toBe('CONFIRMED');
  });

  it('serves a position of the vault: a contract signs, the match pays, the vault measures', async () => {
    const running = await listPlainMarket(sim.venue);
    const { definition } = running.market;
    const { contracts, roles } = deployment;
    await driver.rpc.send(roles.keeper, {
      to: contracts.vault,
      data: encodeFunctionData({
        abi: vaultAbi,
        functionName: 'registerOutcome',
        args: [roles.oracle.address, definition.questionId, 1n],
      }),
    });
    const token = { conditionId: definition.conditionId, tokenId: definition.tokenIds[0] };
    const fields = await driver.quoteFields({
      user: roles.carol,
      token,
      positionSeed: `0x${'ab'.repeat(16)}`,
      collateralUsdcUnits: 100_000_000n,
      leverageBps: 20_000n,
    });
    const position = await driver.createPosition({
      sender: roles.carol,
      fields,
      signature: driver.signQuote(fields),
      limits: { venueFeeUsdcUnits: 8_000_000n },
    });
    const order = driver.orderOf({
      maker: position.account,
      token,
      side: OrderSide.Buy,
      tokenUnits: 384_000_000n,
      usdcUnits: 199_680_000n,
      isContract: true,
    });
    const unsigned = await send(sim, '/order', orderBody({ ...order, signature: accountSignature }, 'FOK', 'keeper'));
    expect(unsigned.body.errorMsg).toContain('invalid signature');
    const attestation = await driver.attestation({
      token,
      purpose: Purpose.Open,
      markPips: 5_000n,
      limitPips: 5_200n,
      venueFeeBps: 350n,
    });
    await driver.authorizeOrder({ position, order, attestation });
    const { body } = await send(sim, '/order', orderBody({ ...order, signature: accountSignature }, 'FOK', 'keeper'));
    expect([body.errorMsg, body.status]).toEqual(['', 'matched']);
    expect((await settledTrades(body.orderID))[0].status).toBe('CONFIRMED');
    await driver.finalize(position);
    const bought = BigInt(Math.round(Number(body.takingAmount) * 1e6));
    expect(await driver.tokensOf(position.account, token)).toBe(bought);
    expect((await driver.positionOf(position)).state).toBe(PositionState.Open);
  });

  const payouts = async (running: RunningMarket): Promise<readonly bigint[]> => {
    const read = { address: deployment.contracts.conditionalTokens, abi: conditionalTokensAbi } as const;
    const { conditionId } = running.market.definition;
    return Promise.all([
      driver.rpc.client.readContract({ ...read, functionName: 'payoutNumerators', args: [conditionId, 0n] }),
      driver.rpc.client.readContract({ ...read, functionName: 'payoutNumerators', args: [conditionId, 1n] }),
      driver.rpc.client.readContract({ ...read, functionName: 'payoutDenominator', args: [conditionId] }),
    ]);
  };

  it('resolves and voids with payouts on chain that redeem to the unit', async () => {
    const won = marketLike('btc-updown-15m');
    await play(sim, 'resolve', { market: won.market.slug, params: { outcome: 'no' } });
    expect(await payouts(won)).toEqual([0n, 1n, 1n]);

    const voided = marketLike('eth-updown-15m');
    const { conditionId } = voided.market.definition;
    const { contracts, roles } = deployment;
    const call = (functionName: 'splitPosition' | 'redeemPositions', data: Hex) =>
      driver.rpc.send(roles.bob, { to: contracts.conditionalTokens, data }).then(() => functionName);
    const units = unitsOfTokens(10n);
    const usdcBefore = await driver.usdcOf(bob.address);
    await call(
      'splitPosition',
      encodeFunctionData({
        abi: conditionalTokensAbi,
        functionName: 'splitPosition',
        args: [contracts.usdc, zeroHash, conditionId, [1n, 2n], units],
      }),
    );
    await play(sim, 'void', { market: voided.market.slug });
    expect(await payouts(voided)).toEqual([1n, 1n, 2n]);
    await call(
      'redeemPositions',
      encodeFunctionData({
        abi: conditionalTokensAbi,
        functionName: 'redeemPositions',
        args: [contracts.usdc, zeroHash, conditionId, [1n]],
      }),
    );
    expect(usdcBefore - (await driver.usdcOf(bob.address))).toBe(units / 2n);
  });

  it('advances the chain with its clock and reports the markets that ended', async () => {
    const ending = marketLike('sol-updown-15m');
    const before = await driver.rpc.nowSeconds();
    const { body } = await send(sim, '/control/clock', { advance_seconds: 1_800 });
    const after = await driver.rpc.nowSeconds();
    const later = (await read(sim, '/control/clock')).body.now_ms;
    expect(Number(after - before)).toBeGreaterThanOrEqual(1_800);
    // Blocks bear whole seconds, and two of one second are dated one after the other.
    expect(Number(after) * 1000).toBeGreaterThan(body.now_ms - 3_000);
    expect(Number(after) * 1000).toBeLessThan(later + 3_000);
    expect(ending.market.stage).toBe('resolved');
    expect((await payouts(ending))[2]).toBe(1n);
    const { answer } = { answer: await read(sim, `/markets?slug=${ending.market.slug}`) };
    expect(answer.body[0].closed).toBe(true);
  });

  it('names its accounts, whose money the deployment gave', async () => {
    const { body } = await read(sim, '/control/accounts');
    expect(body.makers).toEqual(deployment.roles.makers.map(({ address }) => address));
    expect(body.takers).toEqual(deployment.roles.takers.map(({ address }) => address));
    const balance = await driver.rpc.client.readContract({
      address: deployment.contracts.usdc,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [body.makers[3]],
    });
    expect(balance).toBeGreaterThan(0n);
  });
});
