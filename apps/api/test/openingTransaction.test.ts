import { deployLocal, type LocalChain, LocalDriver, type LocalMarket, startLocalChain } from '@core/contracts/local';
import { policyDefaults } from '@core/policy';
import { releaseDue } from '@core/store/testing';
import { OrderSide, PositionState, Purpose, vaultConstants } from '@core/vault';
import { type QuoteWire, quote } from '@core/wire';
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quoteBody as body } from '../testing/quoteBody.ts';
import { codeOf, fieldOf, startTestApi, type TestApi } from '../testing/startTestApi.ts';

let chain: LocalChain;
let driver: LocalDriver;
let market: LocalMarket;
let api: TestApi;
let alice: string;

beforeAll(async () => {
  chain = await startLocalChain();
  driver = new LocalDriver({ rpcUrl: chain.rpcUrl, deployment: await deployLocal({ rpcUrl: chain.rpcUrl }) });
  market = await driver.openMarket('Will the quoted transaction open?');
  const { contracts, roles } = driver.deployment;
  await driver.mintTokens(maker(), market, 1_000_000_000n);
  api = await startTestApi({
    tickers: ['btc-up'],
    config: { contracts },
    signerKey: roles.quoteSigner.privateKey,
    nowMs: Number(await driver.rpc.nowSeconds()) * 1_000,
    market: {
      conditionId: market.yes.conditionId,
      tokenIds: { yes: String(market.yes.tokenId), no: String(market.no.tokenId) },
    },
  });
  alice = await api.userOf(roles.alice.address);
});
afterAll(async () => {
  await api.close();
  await chain.close();
});

function maker() {
  const [first] = driver.deployment.roles.makers;
  if (first === undefined) throw new Error('the deployment has no maker');
  return first;
}

/** A quote made on the chain's own clock, with the transaction that opens it. */
async function quoted(path: string, request: object = body): Promise<QuoteWire> {
  api.clock.setMs(Number(await driver.rpc.nowSeconds()) * 1_000);
  const answer = await api.call(path, { authorization: alice, body: request });
  expect([answer.status, codeOf(answer)]).toEqual([201, undefined]);
  return quote.encode(quote.parse(answer.body));
}

/** Does what the expansion says and nothing else: the allowances to the unit, then the call. */
async function send({ transaction }: QuoteWire): Promise<void> {
  if (transaction === undefined) throw new Error('the quote has no transaction');
  const { alice: wallet } = driver.deployment.roles;
  expect([transaction.value, transaction.chain_id]).toEqual(['0', String(chain.chainId)]);
  for (const { token, spender, units } of transaction.approvals) {
    const args = [spender as Address, BigInt(units)] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
    await driver.rpc.send(wallet, { to: token as Address, data });
  }
  await driver.rpc.send(wallet, { to: transaction.to as Address, data: transaction.data as Hex });
}

test('a quote: its transaction creates the position, takes exactly the total, and the position opens', async () => {
  const { alice: wallet } = driver.deployment.roles;
  const before = await driver.usdcOf(wallet.address);
  const wire = await quoted('/quotes?expand=transaction');
  await send(wire);
  expect(before - (await driver.usdcOf(wallet.address))).toBe(BigInt(wire.total_user_amount_usdc_units));

  const positionKey = wire.on_chain_position_key as Hex;
  const position = { positionKey, account: driver.accountOf(positionKey), token: market.yes };
  expect(await driver.positionOf(position)).toMatchObject({ state: PositionState.Pending, user: wallet.address });
  const order = driver.orderOf({
    maker: position.account,
    token: market.yes,
    side: OrderSide.Buy,
    tokenUnits: 125_000_000n,
    usdcUnits: 100_000_000n,
    isContract: true,
  });
  const terms = { token: market.yes, purpose: Purpose.Open, markPips: 8_000n, limitPips: 8_000n };
  await driver.authorizeOrder({ position, order, attestation: await driver.attestation(terms) });
  await driver.matchWithMaker(order, maker());
  await driver.finalize(position);
  expect(await driver.positionOf(position)).toMatchObject({ state: PositionState.Open, tokenUnits: 125_000_000n });
});

test('a promotion: the same, and its draft has none', async () => {
  const draft = await api.call('/draft-quotes', { authorization: alice, body });
  expect(draft.body).not.toHaveProperty('transaction');
  const wire = await quoted(`/promoted-quotes/${String(fieldOf(draft.body, 'id'))}?expand=transaction,max_gain`, {});
  await send(wire);
  const positionKey = wire.on_chain_position_key as Hex;
  const position = { positionKey, account: driver.accountOf(positionKey), token: market.yes };
  expect(await driver.positionOf(position)).toMatchObject({ state: PositionState.Pending });
});

test('with a smaller allowance than it names the vault takes nothing', async () => {
  const wire = await quoted('/quotes?expand=transaction');
  const { transaction } = wire;
  if (transaction === undefined) throw new Error('the quote has no transaction');
  const short = transaction.approvals.map((approval) => ({ ...approval, units: String(BigInt(approval.units) - 1n) }));
  await expect(send({ ...wire, transaction: { ...transaction, approvals: short } })).rejects.toThrow(/reverted/);
});

test('F5: of fifty promotions of one draft, all of them submitted, one opens and the others take nothing', async () => {
  const { alice: wallet } = driver.deployment.roles;
  const before = await driver.usdcOf(wallet.address);
  api.clock.setMs(Number(await driver.rpc.nowSeconds()) * 1_000);
  const draft = await api.call('/draft-quotes', { authorization: alice, body });
  const path = `/promoted-quotes/${String(fieldOf(draft.body, 'id'))}?expand=transaction`;
  const wires = await Promise.all(Array.from({ length: 50 }, () => quoted(path, {})));
  expect(new Set(wires.map((wire) => wire.on_chain_position_key)).size).toBe(1);
  const outcomes: string[] = [];
  for (const wire of wires) {
    outcomes.push(
      await send(wire).then(
        () => 'opened',
        () => 'refused',
      ),
    );
  }
  expect(outcomes.filter((outcome) => outcome === 'opened')).toHaveLength(1);
  const [first] = wires;
  expect(before - (await driver.usdcOf(wallet.address))).toBe(BigInt(first?.total_user_amount_usdc_units ?? 0));
  const usage = await api.store.usage.reservation(first?.on_chain_position_key ?? '');
  expect(usage?.inFlightNotionalUsdPips).toBe(BigInt(first?.notional_amount_usd_pips ?? 0));
});

describe('F4: a service whose clock is off by', () => {
  /** A quote made when the service's clock shows that; its two expiries are one instant. */
  const quotedAt = async (nowMs: number): Promise<QuoteWire> => {
    api.clock.setMs(nowMs);
    const answer = await api.call('/quotes?expand=transaction', { authorization: alice, body });
    expect([answer.status, codeOf(answer)]).toEqual([201, undefined]);
    const wire = quote.encode(quote.parse(answer.body));
    expect(Number(wire.signature_expiry)).toBe(Math.floor(nowMs / 1_000) + policyDefaults.quote.windowSeconds);
    expect(Date.parse(wire.expires_at)).toBe(Number(wire.signature_expiry) * 1_000);
    return wire;
  };
  const chainMs = async (): Promise<number> => Number(await driver.rpc.nowSeconds()) * 1_000;
  const reservationOf = (wire: QuoteWire) => api.store.usage.reservation(wire.on_chain_position_key);

  test('30 seconds back signs what has expired: the vault takes nothing', async () => {
    const before = await driver.usdcOf(driver.deployment.roles.alice.address);
    await expect(send(await quotedAt((await chainMs()) - 30_000))).rejects.toThrow(/reverted/);
    expect(await driver.usdcOf(driver.deployment.roles.alice.address)).toBe(before);
  });

  test('30 seconds ahead signs what the vault takes until it expires, and keeps its room as long', async () => {
    await send(await quotedAt((await chainMs()) + 30_000));
    const late = await quotedAt((await chainMs()) + 30_000);
    const expirySeconds = Number(late.signature_expiry);
    await driver.rpc.advance(expirySeconds + 1 - Number(await driver.rpc.nowSeconds()));
    await expect(send(late)).rejects.toThrow(/reverted/);
    // The last second in which it could have been used is half a minute later on the service's clock.
    await releaseDue(api.store.usage, (expirySeconds + 30) * 1_000 - 1);
    expect((await reservationOf(late))?.state).toBe('live');
    await releaseDue(api.store.usage, (expirySeconds + policyDefaults.quote.graceSeconds) * 1_000);
    expect((await reservationOf(late))?.state).toBe('released');
  });

  test('more than the longest window ahead signs what the vault refuses as too far away', async () => {
    const far = await quotedAt((await chainMs()) + (vaultConstants.quoteWindowSeconds + 60) * 1_000);
    await expect(send(far)).rejects.toThrow(/reverted/);
  });
});
