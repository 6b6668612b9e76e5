import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { deployLocal, LocalDriver, type LocalMarket, type LocalPosition, startLocalChain } from '@core/contracts/local';
import { policyDefaults } from '@core/policy';
import { leverageBps, pricePips, rateBps } from '@core/pricing';
import { keyFileOf } from '@core/runtime/testing';
import { jsonRpcMethod, startHttpFaultProxy } from '@core/testkit';
import {
  hashPriceAttestation,
  OrderSide,
  PositionState,
  type PriceAttestation,
  Purpose,
  positionSeedOf,
  quotedRiskDigest,
  SigningKey,
  type VenueOrder,
} from '@core/vault';
import { pino } from 'pino';
import { hashMessage, hexToBytes, recoverAddress, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BookVenue, startBookVenue, type VenueBook } from '../testing/bookVenue.ts';
import { readEnv } from './env.ts';
import { type PriceSigner, startPriceSigner } from './startPriceSigner.ts';

const bearerSecret = 'a-secret-of-the-test-only';
const tokenUnits = 200_000_000n;
const even: VenueBook = {
  bids: [
    ['0.49', '1000'],
    ['0.48', '1000'],
  ],
  asks: [
    ['0.50', '1000'],
    ['0.51', '1000'],
  ],
};
/** Books go stale after 0.8 s instead of 5 s, so that the test need not wait. */
const config = { ...policyDefaults, ages: { ...policyDefaults.ages, maxBookAgeMs: 800 } };

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let rpcProxy: Awaited<ReturnType<typeof startHttpFaultProxy>>;
let driver: LocalDriver;
let market: LocalMarket;
let venue: BookVenue;
let signer: PriceSigner;
let seedCount = 0;
const logLines: string[] = [];

beforeAll(async () => {
  chain = await startLocalChain();
  driver = new LocalDriver({ rpcUrl: chain.rpcUrl, deployment: await deployLocal({ rpcUrl: chain.rpcUrl }) });
  market = await driver.openMarket('Bitcoin up this hour?');
  await driver.mintTokens(maker(), market, 10_000_000_000n);
  venue = await startBookVenue(
    {
      conditionId: market.yes.conditionId,
      questionId: market.questionId,
      yesTokenId: market.yes.tokenId.toString(),
      noTokenId: market.no.tokenId.toString(),
    },
    even,
  );
  rpcProxy = await startHttpFaultProxy(chain.rpcUrl);
  const { contracts, roles, chainId } = driver.deployment;
  signer = await startPriceSigner({
    port: 0,
    bearerSecret,
    signer: new SigningKey(roles.priceSigner.privateKey),
    rpcUrl: rpcProxy.url,
    chainId,
    vault: contracts.vault,
    venueUrl: venue.url,
    // No socket is served: the feed lives on its own reads.
    marketSocketUrl: venue.url.replace('http', 'ws'),
    logger: pino({ level: 'info' }, { write: (line: string) => logLines.push(line) }),
    config,
    watchTiming: { sweepIntervalMs: 50, confirmAfterMs: 200, minRetryMs: 50 },
  });
});

afterAll(async () => {
  await signer.close();
  await rpcProxy.close();
  await venue.close();
  await chain.close();
});

beforeEach(async () => {
  venue.setServing(true);
  await venue.showBook(even);
});

function maker() {
  const [first] = driver.deployment.roles.makers;
  if (first === undefined) throw new Error('the deployment has no maker');
  return first;
}

async function createPending(): Promise<LocalPosition> {
  seedCount += 1;
  const user = driver.deployment.roles.alice;
  const fields = await driver.quoteFields({
    user,
    token: market.yes,
    positionSeed: positionSeedOf(toHex(seedCount, { size: 12 }), 0),
    collateralUsdcUnits: 50_000_000n,
    leverageBps: 20_000n,
  });
  const limits = { venueFeeUsdcUnits: 5_000_000n };
  return driver.createPosition({ sender: user, fields, signature: driver.signQuote(fields), limits });
}

function orderOf(
  position: LocalPosition,
  side: OrderSide,
  { units, price }: { units: bigint; price: bigint },
): VenueOrder {
  const usdcUnits = (units * price) / 10_000n;
  return driver.orderOf({
    maker: position.account,
    token: market.yes,
    side,
    tokenUnits: units,
    usdcUnits,
    isContract: true,
  });
}

interface Answer {
  readonly status: number;
  readonly code: string | null;
  readonly attestation: PriceAttestation | null;
  readonly signature: `0x${string}`;
}

async function post(body: unknown, headers: Record<string, string> = { authorization: `Bearer ${bearerSecret}` }) {
  return fetch(`${signer.url}/attestations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function ask(
  position: { positionKey: string },
  { purpose, units = tokenUnits, risk }: Question,
): Promise<Answer> {
  const response = await post({
    position_key: position.positionKey,
    purpose,
    token_units: units.toString(),
    quoted_risk: risk ?? null,
  });
  const body = (await response.json()) as {
    error?: { code: string };
    attestation?: Record<string, string | number>;
    signature?: `0x${string}`;
  };
  const wire = body.attestation;
  return {
    status: response.status,
    code: body.error?.code ?? null,
    attestation:
      wire === undefined
        ? null
        : {
            marketId: String(wire['market_id']) as `0x${string}`,
            tokenId: BigInt(wire['token_id'] ?? 0),
            purpose: Number(wire['purpose']) as Purpose,
            markPips: pricePips(BigInt(wire['mark_pips'] ?? 0)),
            limitPips: pricePips(BigInt(wire['limit_pips'] ?? 0)),
            triggerPips: pricePips(BigInt(wire['trigger_pips'] ?? 0)),
            venueFeeBps: rateBps(BigInt(wire['venue_fee_bps'] ?? 0)),
            exitBufferBps: rateBps(BigInt(wire['exit_buffer_bps'] ?? 0)),
            observedAt: BigInt(wire['observed_at'] ?? 0),
          },
    signature: body.signature ?? '0x',
  };
}

interface Question {
  readonly purpose: string;
  readonly units?: bigint;
  readonly risk?: object;
}

/** Asks until the answer has the status and code: the feed needs a moment to see what the test has set. */
async function askFor(
  position: { positionKey: string },
  question: Question,
  wanted: { status: number; code: string | null },
): Promise<Answer> {
  const deadlineMs = Date.now() + 60_000;
  let answer = await ask(position, question);
  while ((answer.status !== wanted.status || answer.code !== wanted.code) && Date.now() < deadlineMs) {
    await new Promise((done) => setTimeout(done, 100));
    answer = await ask(position, question);
  }
  return answer;
}

async function expectSigned(position: LocalPosition, question: Question): Promise<Answer> {
  const answer = await askFor(position, question, { status: 200, code: null });
  expect(answer).toMatchObject({ status: 200 });
  return answer;
}

/** The code of the refusal, asked again until it is the wanted one. */
async function refusalOf(position: { positionKey: string }, question: Question, code: string) {
  return (await askFor(position, question, { status: 409, code })).code;
}

function signedOf(answer: Answer): { attestation: PriceAttestation; signature: `0x${string}` } {
  if (answer.attestation === null) throw new Error(`not signed: ${answer.code}`);
  return { attestation: answer.attestation, signature: answer.signature };
}

async function open(): Promise<LocalPosition> {
  const position = await createPending();
  const answer = signedOf(await expectSigned(position, { purpose: 'open' }));
  const order = orderOf(position, OrderSide.Buy, { units: tokenUnits, price: 5_000n });
  await driver.authorizeOrder({ position, order, ...answer });
  await driver.matchWithMaker(order, maker(), 3_500_000n);
  await driver.finalize(position);
  return position;
}

describe('attestations the vault accepts', () => {
  test('open and close: signed by the signer key, dated no later than the chain, logged', async () => {
    const position = await createPending();
    const answer = await expectSigned(position, { purpose: 'open' });
    const { attestation, signature } = signedOf(answer);
    const { chainId, contracts, roles } = driver.deployment;
    const hash = hashPriceAttestation(attestation, { chainId, vault: contracts.vault });
    expect(await recoverAddress({ hash, signature })).toBe(roles.priceSigner.address);
    expect(signer.address).toBe(roles.priceSigner.address);
    expect(attestation.observedAt).toBeLessThanOrEqual(await driver.rpc.nowSeconds());
    expect(attestation).toMatchObject({
      marketId: market.yes.conditionId,
      tokenId: market.yes.tokenId,
      purpose: Purpose.Open,
      triggerPips: 0n,
      exitBufferBps: 800n,
    });
    expect(logLines.some((line) => line.includes('attestation signed') && line.includes(hash))).toBe(true);

    const order = orderOf(position, OrderSide.Buy, { units: tokenUnits, price: 5_000n });
    await driver.authorizeOrder({ position, order, attestation, signature });
    await driver.matchWithMaker(order, maker(), 3_500_000n);
    await driver.finalize(position);
    expect((await driver.positionOf(position)).state).toBe(PositionState.Open);

    await driver.requestClose({ position, sender: roles.alice, tokenUnits });
    const sale = signedOf(await expectSigned(position, { purpose: 'close' }));
    const saleOrder = orderOf(position, OrderSide.Sell, { units: tokenUnits, price: 4_900n });
    await driver.authorizeOrder({ position, order: saleOrder, ...sale });
    await driver.matchWithMaker(saleOrder, maker());
    await driver.finalize(position);
    expect((await driver.positionOf(position)).state).toBe(PositionState.Closed);
  });

  test('liquidate: not due while healthy; when due, confirmed and accepted', async () => {
    const position = await open();
    expect(await refusalOf(position, { purpose: 'liquidate' }, 'not_due')).toBe('not_due');
    expect(await refusalOf(position, { purpose: 'unwind', units: 100_000_000n }, 'not_due')).toBe('not_due');
    await venue.showBook({ bids: [['0.26', '1000']], asks: [['0.28', '1000']] });
    const { attestation, signature } = signedOf(await expectSigned(position, { purpose: 'liquidate' }));
    expect(attestation).toMatchObject({ purpose: Purpose.Liquidate, markPips: 2_700n });
    const order = orderOf(position, OrderSide.Sell, { units: tokenUnits, price: 2_600n });
    await driver.authorizeOrder({ position, order, attestation, signature });
    await driver.matchWithMaker(order, maker());
    await driver.finalize(position);
    expect((await driver.positionOf(position)).state).toBe(PositionState.Liquidated);
  });

  test('unwind: signed with a trigger when the debt is no longer covered', async () => {
    const position = await open();
    await venue.showBook({ bids: [['0.29', '1000']], asks: [['0.30', '1000']] });
    const units = 100_000_000n;
    const { attestation, signature } = signedOf(await expectSigned(position, { purpose: 'unwind', units }));
    expect(attestation.purpose).toBe(Purpose.Unwind);
    const order = orderOf(position, OrderSide.Sell, { units, price: 2_900n });
    await driver.authorizeOrder({ position, order, attestation, signature });
    await driver.matchWithMaker(order, maker());
    await driver.finalize(position);
    expect((await driver.positionOf(position)).state).toBe(PositionState.Open);
  });
});

describe('risk terms of the quote', () => {
  /** The terms as a keeper passes them on, signed by a key. */
  function riskOf(
    { positionKey }: LocalPosition,
    { triggerPips = 1, exitSeconds = 60, privateKey = driver.deployment.roles.quoteSigner.privateKey } = {},
  ): object {
    const rung = { rung: 1, triggerPricePips: pricePips(BigInt(triggerPips)), targetLeverageBps: leverageBps(15_000n) };
    const { chainId, contracts } = driver.deployment;
    const place = { positionKey, chainId, vault: contracts.vault };
    const digest = quotedRiskDigest({ ...place, exitSeconds, plannedUnwinds: [rung] });
    return {
      exit_seconds: exitSeconds,
      planned_unwinds: [{ trigger_pips: triggerPips, target_leverage_bps: 15_000 }],
      signature: new SigningKey(privateKey).signHash(hexToBytes(hashMessage({ raw: digest }))),
    };
  }
  const units = 20_000_000n;

  test('a rung is attested once the mark has fallen to it, when the quote signer has signed it', async () => {
    const position = await open();
    const forged = riskOf(position, { triggerPips: 5_000, privateKey: driver.deployment.roles.keeper.privateKey });
    const later = riskOf(position, { triggerPips: 4_900 });
    for (const risk of [forged, later]) {
      expect(await refusalOf(position, { purpose: 'unwind', units, risk }, 'not_due')).toBe('not_due');
    }
    const risk = riskOf(position, { triggerPips: 5_000 });
    const { attestation, signature } = signedOf(await expectSigned(position, { purpose: 'unwind', units, risk }));
    expect(attestation).toMatchObject({ purpose: Purpose.Unwind, triggerPips: 1n });
    const order = orderOf(position, OrderSide.Sell, { units, price: 4_900n });
    await driver.authorizeOrder({ position, order, attestation, signature });
    await driver.matchWithMaker(order, maker());
    await driver.finalize(position);
    expect((await driver.positionOf(position)).tokenUnits).toBe(tokenUnits - units);
    // Terms of another position are none of this one's.
    const other = riskOf(await open(), { triggerPips: 5_000 });
    expect(await refusalOf(position, { purpose: 'unwind', units, risk: other }, 'not_due')).toBe('not_due');
  });

  test('the cover is judged at the exit time of the quote', async () => {
    const position = await open();
    await venue.showBook({ bids: [['0.32', '1000']], asks: [['0.33', '1000']] });
    const quick = riskOf(position, { exitSeconds: 1 });
    expect(await refusalOf(position, { purpose: 'unwind', units, risk: quick }, 'not_due')).toBe('not_due');
    const { attestation } = await expectSigned(position, {
      purpose: 'unwind',
      units,
      risk: riskOf(position, { exitSeconds: 3_600 }),
    });
    expect(attestation).toMatchObject({ purpose: Purpose.Unwind });
  });
});

describe('refused attestations', () => {
  test('refuses an unknown position, a wrong purpose and an excessive size', async () => {
    const position = await createPending();
    await expectSigned(position, { purpose: 'open' });
    expect(await refusalOf({ positionKey: `0x${'ab'.repeat(32)}` }, { purpose: 'open' }, 'position_unknown')).toBe(
      'position_unknown',
    );
    expect(await refusalOf(position, { purpose: 'close' }, 'position_state')).toBe('position_state');
    expect(await refusalOf(position, { purpose: 'liquidate' }, 'position_state')).toBe('position_state');
    expect(await refusalOf(position, { purpose: 'open', units: 300_000_000n }, 'size_out_of_range')).toBe(
      'size_out_of_range',
    );
  });

  test('close: refuses more than the owner requested', async () => {
    const position = await open();
    expect(await refusalOf(position, { purpose: 'close' }, 'position_state')).toBe('position_state');
    expect(await refusalOf(position, { purpose: 'open' }, 'position_state')).toBe('position_state');
    await driver.requestClose({ position, sender: driver.deployment.roles.alice, tokenUnits: 80_000_000n });
    expect(await refusalOf(position, { purpose: 'close', units: 80_000_001n }, 'size_out_of_range')).toBe(
      'size_out_of_range',
    );
    await expectSigned(position, { purpose: 'close', units: 80_000_000n });
    expect(await refusalOf(position, { purpose: 'unwind', units: 200_000_001n }, 'size_out_of_range')).toBe(
      'size_out_of_range',
    );
  });

  test('a one-sided book has no price', async () => {
    const position = await createPending();
    await venue.showBook({ bids: even.bids, asks: [] });
    expect(await refusalOf(position, { purpose: 'open' }, 'book_one_sided')).toBe('book_one_sided');
  });

  test('a stale book has no price until it is read again', async () => {
    const position = await createPending();
    await expectSigned(position, { purpose: 'open' });
    venue.setServing(false);
    expect(await refusalOf(position, { purpose: 'open' }, 'book_stale')).toBe('book_stale');
    expect((await fetch(`${signer.url}/readyz`)).status).toBe(503);
    venue.setServing(true);
    await expectSigned(position, { purpose: 'open' });
  });

  test('a market whose payouts are known is redeemed, not sold', async () => {
    const snapshot = await driver.rpc.snapshot();
    const position = await open();
    await driver.reportPayouts(market, [1n, 0n]);
    expect(await refusalOf(position, { purpose: 'liquidate' }, 'market_resolved')).toBe('market_resolved');
    await driver.rpc.revertTo(snapshot);
  });

  test('an unreachable chain is no refusal: the same request works later', async () => {
    const position = await createPending();
    await expectSigned(position, { purpose: 'open' });
    rpcProxy.addRule({ matches: jsonRpcMethod('eth_getBlockByNumber'), fault: { kind: 'drop' }, times: 20 });
    const away = { status: 503, code: 'unavailable' };
    expect(await askFor(position, { purpose: 'open' }, away)).toMatchObject(away);
    rpcProxy.clearRules();
    await expectSigned(position, { purpose: 'open' });
  });
});

describe('the process', () => {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));

  test('starts from its environment and ends on SIGTERM', async () => {
    const { contracts, roles, chainId } = driver.deployment;
    const child = spawn(process.execPath, [main], {
      env: {
        PRICE_SIGNER_PORT: '0',
        PRICE_SIGNER_KEY_FILE: keyFileOf(roles.secondPriceSigner.privateKey),
        PRICE_SIGNER_SECRET: bearerSecret,
        RPC_URL: chain.rpcUrl,
        CHAIN_ID: String(chainId),
        VAULT_ADDRESS: contracts.vault,
        VENUE_URL: venue.url,
        VENUE_MARKET_SOCKET_URL: venue.url.replace('http', 'ws'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of child.stdout) {
      if (String(line).includes('price signer ready')) break;
    }
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  test('names every missing or invalid variable', () => {
    expect(() => readEnv({ CHAIN_ID: 'x' })).toThrow(/RPC_URL/);
    expect(() => readEnv({ CHAIN_ID: 'x' })).toThrow(/CHAIN_ID/);
    expect(() => readEnv({ PRICE_SIGNER_PROT: '1' })).toThrow('did you mean PRICE_SIGNER_PORT?');
    expect(() => readEnv({ PRICE_SIGNER_URLS: 'x' })).not.toThrow('PRICE_SIGNER_URLS');
  });
});

describe('access', () => {
  const good = { position_key: `0x${'ab'.repeat(32)}`, purpose: 'open', token_units: '5', quoted_risk: null };

  test.each([
    ['no header', {}],
    ['another secret', { authorization: 'Bearer another' }],
    ['a prefix', { authorization: `Bearer ${bearerSecret.slice(0, -1)}` }],
    ['another scheme', { authorization: `Basic ${bearerSecret}` }],
  ])('401 with %s', async (_, headers) => {
    const response = await post(good, headers);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: { code: 'unauthorized' } });
  });

  test.each([
    ['no JSON', '{'],
    ['an array', []],
    ['an unknown field', { ...good, limit_pips: 1 }],
    ['a short key', { ...good, position_key: '0xab' }],
    ['an unknown purpose', { ...good, purpose: 'sell' }],
    ['a number for units', { ...good, token_units: 5 }],
    ['no units', { ...good, token_units: '0' }],
    ['signed units', { ...good, token_units: '-5' }],
    ['no word on what was quoted', { position_key: good.position_key, purpose: 'open', token_units: '5' }],
    ['a signature too short', { ...good, quoted_risk: { exit_seconds: 60, planned_unwinds: [], signature: '0x00' } }],
    ['rungs that are no list', { ...good, quoted_risk: { exit_seconds: 60, planned_unwinds: {}, signature: '0x00' } }],
    ['a body of 4 kB', { ...good, padding: 'x'.repeat(4_096) }],
  ])('400 for %s', async (_, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: { code: 'invalid_request' } });
  });

  test('other routes and methods are not found; health and metrics need no secret', async () => {
    expect((await fetch(`${signer.url}/attestations`)).status).toBe(404);
    expect((await fetch(`${signer.url}/`)).status).toBe(404);
    expect((await fetch(`${signer.url}/healthz`)).status).toBe(200);
    await expect.poll(async () => (await fetch(`${signer.url}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${signer.url}/metrics`)).text()).toContain('attestations_signed_total');
  });

  test('neither the secret nor the key shows in the logs', () => {
    const text = logLines.join('\n');
    expect(text).not.toContain(bearerSecret);
    expect(text).not.toContain(driver.deployment.roles.priceSigner.privateKey.slice(2));
  });

  test('does not start with an unappointed key or on another chain', async () => {
    const { contracts, roles, chainId } = driver.deployment;
    const options = {
      port: 0,
      bearerSecret,
      signer: new SigningKey(roles.bob.privateKey),
      rpcUrl: chain.rpcUrl,
      chainId,
      vault: contracts.vault,
      venueUrl: venue.url,
      marketSocketUrl: venue.url.replace('http', 'ws'),
      logger: pino({ level: 'silent' }),
    };
    await expect(startPriceSigner(options)).rejects.toThrow('price signer');
    const otherChain = { ...options, signer: new SigningKey(roles.priceSigner.privateKey), chainId: 1 };
    await expect(startPriceSigner(otherChain)).rejects.toThrow('chain');
  });
});
