import { rateBps } from '@core/pricing';
import { releaseDue } from '@core/store/testing';
import { createPositionFieldsOf, positionKeyOf, vaultAbi, verifyQuote } from '@core/vault';
import { contractInfo, type DraftQuoteWire, draftQuote, type QuoteWire, quote } from '@core/wire';
import * as fc from 'fast-check';
import { type Address, decodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quoteBody } from '../../testing/quoteBody.ts';
import {
  codeOf,
  fieldOf,
  startTestApi,
  type TestAnswer,
  type TestApi,
  textWithoutId,
  wallets,
} from '../../testing/startTestApi.ts';

let api: TestApi;
let alice: string;
let bob: string;
/** Moments of requests at which a process may die. */
const moments: string[] = [];
const body = { ...quoteBody, notional_amount_usd_pips: '2500000' };

beforeAll(async () => {
  api = await startTestApi({ config: { failpoint: (moment) => moments.push(moment) } });
  alice = await api.userOf(wallets.alice);
  bob = await api.userOf(wallets.bob);
});
afterAll(() => api.close());

/** The signed quote of an answer; fails with the code of a refusal. */
function signed(answer: TestAnswer): QuoteWire {
  expect([answer.status, codeOf(answer)]).toEqual([201, undefined]);
  const wire = quote.encode(quote.parse(answer.body));
  expect(wire).toEqual(answer.body);
  return wire;
}

function drafted(answer: TestAnswer): DraftQuoteWire {
  expect([answer.status, codeOf(answer)]).toEqual([201, undefined]);
  const wire = draftQuote.encode(draftQuote.parse(answer.body));
  expect(wire).toEqual(answer.body);
  return wire;
}

async function verified(wire: QuoteWire): Promise<unknown> {
  const info = contractInfo.parse((await api.call('/contract-info')).body);
  return verifyQuote({
    fields: createPositionFieldsOf(wire),
    signature: wire.contract_signature as Hex,
    expected: {
      signer: info.polygon_signer_address as Address,
      chainId: Number(info.evm_chain_id),
      vault: info.polygon_vault_contract_address as Address,
      user: wallets.alice,
    },
  });
}

describe('POST /quotes', () => {
  test('a signed quote verifies against contract info and names its position', async () => {
    const wire = signed(await api.call('/quotes', { authorization: alice, body }));
    expect(await verified(wire)).toMatchObject({ verified: true });
    expect(wire.authority_public_key).toBe(wallets.alice);
    expect(wire.on_chain_position_key).toBe(
      positionKeyOf({
        chainId: 31_337,
        vault: wire.venue_vault_contract_address as Address,
        user: wallets.alice,
        positionSeed: wire.position_seed_hex as Hex,
      }),
    );
    expect(BigInt(wire.position_seed)).toBe(BigInt(wire.position_seed_hex));
    expect(wire).not.toHaveProperty('max_gain');
    expect(wire).not.toHaveProperty('allow_partial_fill');
  });

  test('it may die once after it is stored, and once before its answer leaves', async () => {
    moments.length = 0;
    signed(await api.call('/quotes', { authorization: alice, body }));
    expect(moments).toEqual(['after_reserve', 'before_answer']);
  });

  test('its window starts at the whole second and both expiries are the same instant', async () => {
    const wire = signed(await api.call('/quotes', { authorization: alice, body }));
    expect(Number(wire.signature_expiry)).toBe(Math.floor(api.clock.nowMs() / 1_000) + 15);
    expect(Date.parse(wire.expires_at)).toBe(Number(wire.signature_expiry) * 1_000);
  });

  test('holds the invariants of size and cost for any size and leverage', async () => {
    const sizes = fc.record({
      leverage_bps: fc.integer({ min: 8, max: 20 }).map((steps) => steps * 2_500),
      notional_amount_usd_pips: fc.integer({ min: 100_000, max: 20_000_000 }).map(String),
      effective_side: fc.constantFrom('yes', 'no'),
    });
    await fc.assert(
      fc.asyncProperty(sizes, async (size) => {
        const wire = drafted(
          await api.call('/draft-quotes', { authorization: alice, body: { ...body, ...size, allow_revision: true } }),
        );
        const [collateral, notional] = [BigInt(wire.collateral_usdc_units), BigInt(wire.notional_usdc_units)];
        expect(notional * 10_000n).toBe(collateral * BigInt(wire.leverage_bps));
        expect(wire.notional_amount_usdc_units).toBe(wire.notional_usdc_units);
        expect(wire.notional_amount_usd_pips).toBe(String(notional / 100n));
        const total =
          collateral + BigInt(wire.origination_fee_usdc_units) + BigInt(wire.expected_open_trading_fee_usdc_units);
        expect(BigInt(wire.total_user_amount_usdc_units)).toBe(total);
        expect(wire.protocol_origination_fee_bps + wire.partner_origination_fee_bps).toBe(wire.origination_fee_bps);
        expect(wire.leverage_bps).toBeLessThanOrEqual(size.leverage_bps);
      }),
      { numRuns: 60 },
    );
  });

  test('`expand=max_gain` adds the gain, /offers is the same route', async () => {
    const wire = signed(await api.call('/offers?expand=max_gain', { authorization: alice, body }));
    const { max_gain: gain } = wire;
    const costs = BigInt(wire.origination_fee_usdc_units) + BigInt(wire.expected_open_trading_fee_usdc_units);
    expect(BigInt(gain?.net_max_gain_usdc_units ?? 0)).toBe(BigInt(gain?.gross_max_gain_usdc_units ?? 0) - costs);
  });

  test('`expand=transaction` gives the call of this quote, absent unless asked for', async () => {
    const partial = { ...body, allow_partial_fill: true };
    const wire = signed(await api.call('/quotes?expand=transaction', { authorization: alice, body: partial }));
    const { transaction } = wire;
    expect(transaction).toMatchObject({ to: wire.venue_vault_contract_address, value: '0', chain_id: '31337' });
    const { functionName, args } = decodeFunctionData({ abi: vaultAbi, data: (transaction?.data ?? '0x') as Hex });
    expect([functionName, args[1]]).toEqual(['createPosition', wire.contract_signature]);
    const [record] = await api.store.quotes.byPositionKey(wire.on_chain_position_key);
    expect(args[0]).toMatchObject({
      positionSeed: wire.position_seed_hex,
      notionalUsdcUnits: BigInt(wire.notional_usdc_units),
      venueFeeUsdcUnits: BigInt(wire.expected_open_trading_fee_usdc_units),
      minPositionTokenUnits: BigInt(wire.min_expected_position_token_units),
      maxLiquidationPricePips: Number(record?.figures.figures.maxLiquidationPricePips),
      minFillBps: wire.min_fill_bps,
    });
    const info = contractInfo.parse((await api.call('/contract-info')).body);
    expect(transaction?.approvals).toEqual([
      {
        token: info.polygon_usdc_token_address,
        spender: wire.venue_vault_contract_address,
        units: wire.total_user_amount_usdc_units,
      },
    ]);
    expect(signed(await api.call('/quotes', { authorization: alice, body }))).not.toHaveProperty('transaction');
    const draft = await api.call('/draft-quotes?expand=transaction', { authorization: alice, body });
    expect(codeOf(draft)).toBe('invalid_request');
  });

  test('`expand=basis` gives what the figures of the fill come from, also on a draft', async () => {
    const path = '?expand=max_gain,basis';
    const wire = signed(await api.call(`/quotes${path}`, { authorization: alice, body }));
    const [record] = await api.store.quotes.byPositionKey(wire.on_chain_position_key);
    const figures = record?.figures;
    expect(wire.basis).toEqual({
      position_token_units: String(figures?.figures.positionTokenUnits),
      venue_fee_usdc_units: String(figures?.figures.venueFeeUsdcUnits),
      slippage_bps: body.slippage_bps,
      exit_buffer_bps: Number(figures?.exitBufferBps),
      opening_route: 'fill',
    });
    const gross = BigInt(wire.max_gain?.gross_max_gain_usdc_units ?? 0);
    expect(gross + BigInt(wire.notional_usdc_units)).toBe(BigInt(wire.basis?.position_token_units ?? 0));
    const draft = await api.call(`/draft-quotes${path}`, { authorization: alice, body });
    expect(draft.body).toMatchObject({ basis: wire.basis });
  });

  test('partial-open is echoed with its share', async () => {
    const partial = { ...body, allow_partial_fill: true };
    expect(signed(await api.call('/quotes', { authorization: alice, body: partial }))).toMatchObject({
      allow_partial_fill: true,
      min_fill_bps: 2_000,
    });
    const withFloor = { ...partial, min_fill_bps: 2_500 };
    expect(signed(await api.call('/quotes', { authorization: alice, body: withFloor }))).toMatchObject({
      min_fill_bps: 2_500,
    });
  });

  test.each([
    [{ leverage_bps: 30_001 }, 'invalid_request'],
    [{ leverage_bps: 17_500 }, 'quote_leverage_below_minimum'],
    [{ leverage_bps: 102_500 }, 'quote_leverage_exceeds_maximum'],
    [{ notional_amount_usd_pips: '1' }, 'quote_notional_below_minimum'],
    [{ slippage_bps: 50 }, 'invalid_request'],
    [{ market_ticker: 'unknown' }, 'customer_market_not_found'],
    [{ market_ticker: '' }, 'customer_market_not_found'],
    [{ market_ticker: 'x'.repeat(5_000) }, 'customer_market_not_found'],
    [{ market_ticker: '\ud800' }, 'customer_market_not_found'],
    [{ min_fill_bps: 2_000 }, 'quote_min_fill_bps_requires_fak'],
    [{ allow_partial_fill: true, min_fill_bps: 1_000 }, 'quote_min_fill_bps_out_of_range'],
    [{ allow_partial_fill: true, min_fill_bps: 2_100 }, 'quote_min_fill_bps_step_invalid'],
    [{ market_ticker: 'unknown', min_fill_bps: 2_000 }, 'quote_min_fill_bps_requires_fak'],
    [{ unknown: true }, 'invalid_request'],
  ])('%o is refused with %s', async (change, code) => {
    const answer = await api.call('/quotes', { authorization: alice, body: { ...body, ...change } });
    expect(codeOf(answer)).toBe(code);
  });

  test('what a refusal names as acceptable is accepted', async () => {
    const requests = fc.record({
      leverage_bps: fc.integer({ min: 8, max: 40 }).map((steps) => steps * 2_500),
      notional_amount_usd_pips: fc.integer({ min: 60_000, max: 400_000_000 }).map(String),
      slippage_bps: fc.integer({ min: 100, max: 1_000 }),
      effective_side: fc.constantFrom('yes', 'no'),
    });
    const draftOf = (change: object) =>
      api.call('/draft-quotes', { authorization: alice, body: { ...body, ...change } });
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const refusal = await draftOf(request);
        const params = fieldOf(refusal.body, 'error', 'params');
        const leverage =
          fieldOf(params, 'acceptable_leverage_bps') ??
          fieldOf(params, 'max_acceptable_leverage_bps') ??
          fieldOf(params, 'max_leverage_bps');
        const notional = fieldOf(params, 'acceptable_notional_usd_pips') ?? request.notional_amount_usd_pips;
        const isTerminal = ['quote_max_leverage_too_low', 'quote_leverage_exceeds_collateral_floor'].includes(
          String(codeOf(refusal)),
        );
        fc.pre(refusal.status !== 201 && leverage !== undefined && !isTerminal);
        const again = await draftOf({ ...request, leverage_bps: leverage, notional_amount_usd_pips: notional });
        expect([codeOf(refusal), request, again.status, codeOf(again)]).toEqual([
          codeOf(refusal),
          request,
          201,
          undefined,
        ]);
      }),
      { numRuns: 60 },
    );
  });

  test('a Solana wallet learns that it cannot open here', async () => {
    const answer = await api.call('/quotes', { authorization: await api.userOf(wallets.solana), body });
    expect(codeOf(answer)).toBe('quote_invalid_venue_wallet_address');
  });

  test('stale books and a silent pool refuse', async () => {
    api.live.bookAgeMs = 6_000;
    expect(codeOf(await api.call('/quotes', { authorization: alice, body }))).toBe('quote_entry_order_book_stale');
    api.live.bookAgeMs = 100;
    const { reading } = api.pool;
    api.pool.reading = null;
    expect(codeOf(await api.call('/quotes', { authorization: alice, body }))).toBe('quote_market_not_ready');
    expect(drafted(await api.call('/draft-quotes', { authorization: alice, body })).id).toMatch(/^dro_/);
    api.pool.reading = reading;
  });

  test('no number of parallel quotes passes a cap, and the refusal names the room that is left', async () => {
    const one = { ...body, notional_amount_usd_pips: '50000000' };
    const carol = await api.userOf('0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.call('/quotes', { authorization: carol, body: one })),
    );
    const granted = answers.filter(({ status }) => status === 201);
    // 25,000 USD per wallet, 5,000 each.
    expect(granted).toHaveLength(5);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer.body).toMatchObject({
        error: {
          code: 'quote_user_position_limit_exceeded',
          params: {
            available_capacity_usd_pips: '0',
            current_notional_usd_pips: '250000000',
            limit_usd_pips: '250000000',
          },
        },
      });
    }
  });
});

describe('drafts and promotion', () => {
  test('a draft has every figure and nothing that could open a position', async () => {
    const wire = drafted(await api.call('/draft-quotes', { authorization: alice, body }));
    expect(wire).toMatchObject({
      contract_signature: '',
      evm_chain_id: '',
      signature_expiry: '0',
      position_seed: '',
      position_seed_hex: '',
      on_chain_position_key: '',
      expires_at: new Date(api.clock.nowMs()).toISOString(),
    });
    expect(wire).not.toHaveProperty('swap_transaction');
  });

  test('promotions are independent quotes of one position key, with one reservation', async () => {
    const draft = drafted(await api.call('/draft-offers', { authorization: bob, body }));
    const promote = () => api.call(`/promoted-quotes/${draft.id}`, { method: 'POST', authorization: bob });
    const [first, second] = [signed(await promote()), signed(await promote())];
    expect(first.id).not.toBe(second.id);
    expect(first.position_seed_hex).not.toBe(second.position_seed_hex);
    expect(first.on_chain_position_key).toBe(second.on_chain_position_key);
    expect(first.notional_usdc_units).toBe(draft.notional_usdc_units);
    const records = await api.store.quotes.byPositionKey(first.on_chain_position_key);
    expect(records).toHaveLength(2);
    const reservation = await api.store.usage.reservation(first.on_chain_position_key);
    expect(String(reservation?.inFlightNotionalUsdPips)).toBe(first.notional_amount_usd_pips);
    const alias = await api.call(`/promoted-offers/${draft.id}?expand=max_gain`, { authorization: bob, body: {} });
    expect(signed(alias)).toHaveProperty('max_gain');
  });

  test('F5: 50 promotions at once sign 50 different seeds of one key', async () => {
    const draft = drafted(await api.call('/draft-quotes', { authorization: bob, body }));
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        api.call(`/promoted-quotes/${draft.id}`, { method: 'POST', authorization: bob }),
      ),
    );
    const quotes = answers.map(signed);
    expect(new Set(quotes.map((wire) => wire.position_seed_hex)).size).toBe(50);
    expect(new Set(quotes.map((wire) => wire.on_chain_position_key)).size).toBe(1);
  });

  test('promotion: concurrent calls with one Idempotency-Key store one quote and get one answer', async () => {
    const draft = drafted(await api.call('/draft-quotes', { authorization: bob, body }));
    const headers = { 'Idempotency-Key': 'promote-once' };
    const promote = () => api.call(`/promoted-quotes/${draft.id}`, { method: 'POST', authorization: bob, headers });
    const answers = await Promise.all(Array.from({ length: 10 }, promote));
    const [first, ...others] = answers.map(signed);
    for (const other of others) expect(other).toEqual(first);
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await api.store.quotes.byPositionKey(first?.on_chain_position_key ?? '')).toHaveLength(1);
  });

  test('promotion: a full cap names its code and leaves the draft usable', async () => {
    const dave = await api.userOf('0x90F79bf6EB2c4f870365E785982E1f101E93b906');
    const release = () => releaseDue(api.store.usage, api.clock.nowMs() + 60_000);
    await release();
    const draft = drafted(
      await api.call('/draft-quotes', { authorization: dave, body: { ...body, notional_amount_usd_pips: '50000000' } }),
    );
    const other = { ...body, notional_amount_usd_pips: '50000000' };
    for (let count = 0; count < 5; count += 1) signed(await api.call('/quotes', { authorization: dave, body: other }));
    const promote = () => api.call(`/promoted-quotes/${draft.id}`, { method: 'POST', authorization: dave });
    expect(codeOf(await promote())).toBe('quote_user_position_limit_exceeded');
    await release();
    expect(signed(await promote()).notional_amount_usd_pips).toBe('50000000');
  });

  test("unknown, malformed, another wallet's, another partner's and expired drafts are not found, all alike", async () => {
    const draft = drafted(await api.call('/draft-quotes', { authorization: alice, body }));
    const promoteAs = (id: string, authorization: string) =>
      api.call(`/promoted-quotes/${id}`, { method: 'POST', authorization });
    const answers = [
      await promoteAs('dro_00000000000000000000000000', alice),
      await promoteAs('nonsense', alice),
      await promoteAs(draft.id, bob),
      await promoteAs(draft.id, await api.userOf(wallets.alice, 1)),
    ];
    api.clock.advanceMs(24 * 3_600_000);
    answers.push(await promoteAs(draft.id, await api.userOf(wallets.alice)));
    api.clock.advanceMs(-24 * 3_600_000);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(answers.map(textWithoutId)).size).toBe(1);
    expect(codeOf(answers[0] as TestAnswer)).toBe('not_found');
    expect((await promoteAs(draft.id, alice)).status).toBe(201);
  });

  test('a promotion refuses when the entry has become worse than the draft by more than its slippage', async () => {
    const draft = drafted(
      await api.call('/draft-quotes', { authorization: alice, body: { ...body, market_ticker: 'eth-up' } }),
    );
    const { deepBook } = await import('../../testing/fakeLiveMarkets.ts');
    api.live.setBook('eth-up', 'yes', deepBook(8_400n));
    const answer = await api.call(`/promoted-quotes/${draft.id}`, { method: 'POST', authorization: alice });
    expect(codeOf(answer)).toBe('quote_slippage_too_high');
    api.live.setBook('eth-up', 'yes', deepBook(8_000n));
    expect((await api.call(`/promoted-quotes/${draft.id}`, { method: 'POST', authorization: alice })).status).toBe(201);
  });

  test('a body with fields is refused', async () => {
    const draft = drafted(await api.call('/draft-quotes', { authorization: alice, body }));
    const answer = await api.call(`/promoted-quotes/${draft.id}`, {
      authorization: alice,
      body: { leverage_bps: 20_000 },
    });
    expect(codeOf(answer)).toBe('invalid_request');
  });
});

describe('POST /fee-reports and GET /fee-rates', () => {
  const { slippage_bps: _slippage, ...report } = body;

  test('a report carries the figures of the size at the given price', async () => {
    const answer = await api.call('/fee-reports', {
      authorization: alice,
      body: { ...report, entry_price_usd_pips: '5000' },
    });
    expect(answer.status).toBe(200);
    // 0.50 × 2/3 × 1.01, rounded down to a pip.
    expect(answer.body).toMatchObject({ entry_price_usd_pips: '5000', estimated_liquidation_price_usd_pips: '3366' });
    const priced = await api.call('/fee-reports', { authorization: alice, body: report });
    expect(fieldOf(priced.body, 'entry_price_usd_pips')).toBe('8050');
  });

  test.each([
    [{ leverage_bps: 17_500 }, 'quote_leverage_below_minimum'],
    [{ leverage_bps: 102_500 }, 'quote_leverage_exceeds_maximum'],
    [{ notional_amount_usd_pips: '100' }, 'quote_notional_below_minimum'],
    [{ notional_amount_usd_pips: '50000', leverage_bps: 100_000 }, 'quote_leverage_exceeds_collateral_floor'],
    [{ market_ticker: 'unknown' }, 'customer_market_not_found'],
    [{ market_ticker: '' }, 'customer_market_not_found'],
  ])('%o is refused with %s', async (change, code) => {
    expect(codeOf(await api.call('/fee-reports', { authorization: alice, body: { ...report, ...change } }))).toBe(code);
  });

  test('the collateral floor names the highest leverage that would do', async () => {
    const small = { ...report, notional_amount_usd_pips: '50000', leverage_bps: 100_000 };
    const refusal = await api.call('/fee-reports', { authorization: alice, body: small });
    const maxLeverage = Number(fieldOf(refusal.body, 'error', 'params', 'max_leverage_bps'));
    expect(maxLeverage).toBe(50_000);
    const accepted = await api.call('/fee-reports', {
      authorization: alice,
      body: { ...small, leverage_bps: maxLeverage },
    });
    expect(accepted.status).toBe(200);
  });

  test('rates are the schedule of the caller, with the market when it is named', async () => {
    const plain = await api.call('/fee-rates', { authorization: alice });
    expect(plain.body).toMatchObject({ contract_max_origination_fee_bps: 500, liquidation_fee_bps: 100 });
    expect(plain.body).not.toHaveProperty('market');
    const withMarket = await api.call('/fee-rates?ticker=btc-up', { authorization: alice });
    expect(fieldOf(withMarket.body, 'market')).toEqual({
      ticker: 'btc-up',
      venue_fee_exponent: 1,
      venue_trading_fee_bps: 700,
      // The costs of crypto among those that the keeper reports.
      measured_costs: [
        { kind: 'close', min_value_usd_pips: '0', max_value_usd_pips: '5000000', cost_bps: -12, fill_count: 4 },
      ],
    });
    for (const ticker of ['unknown', '', 'x'.repeat(300)]) {
      expect(codeOf(await api.call(`/fee-rates?ticker=${ticker}`, { authorization: alice }))).toBe(
        'customer_market_not_found',
      );
    }
  });
});

test("the vault's cap bounds what is shown, reported and quoted", async () => {
  const capped = await startTestApi({ contract: { maxOriginationFeeBps: rateBps(60n) } });
  const authorization = await capped.userOf(wallets.alice);
  const rates = await capped.call('/fee-rates', { authorization });
  expect(rates.body).toMatchObject({
    contract_max_origination_fee_bps: 60,
    origination_fee_tiers: Array.from({ length: 4 }, () => ({ fee_bps: 60 })),
  });
  const market = await capped.call('/markets/btc-up', { authorization });
  expect(fieldOf(market.body, 'fees', 'origination_tiers')).toEqual(fieldOf(rates.body, 'origination_fee_tiers'));
  const { slippage_bps: _slippage, ...report } = body;
  const reported = await capped.call('/fee-reports', { authorization, body: report });
  const draft = await capped.call('/draft-quotes', { authorization, body });
  const quoted = await capped.call('/quotes', { authorization, body });
  const charged = [reported, draft, quoted].map((answer) => fieldOf(answer.body, 'origination_fee_bps'));
  expect(charged).toEqual([60, 60, 60]);
  await capped.close();
});

describe('limits', () => {
  test('usage counts positions, never live quotes', async () => {
    const answer = await api.call('/user-limits', { authorization: alice });
    expect(answer.body).toEqual({
      limit_usd_pips: '250000000',
      limit_usd: '25000.00',
      usage_usd_pips: '0',
      usage_usd: '0.00',
      remaining_usd_pips: '250000000',
      remaining_usd: '25000.00',
    });
    const partner = await api.call('/partner-limits', { authorization: api.keyOf() });
    expect(fieldOf(partner.body, 'limit_usd')).toBe('1000000.00');
  });
});
