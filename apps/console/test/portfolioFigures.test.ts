import { usdcUnits } from '@core/pricing';
import type { LedgerRow, OpenPosition, Position, PositionLedger } from '@core/sdk';
import { describe, expect, test } from 'vitest';
import { ledgerText } from '../web/src/ledgerTexts.ts';
import { toastOf } from '../web/src/live/positionToast.ts';
import { equityPointsOf, stepsOf, withPresent } from '../web/src/positions/equityPoints.ts';
import { positionsCsv } from '../web/src/positions/positionsCsv.ts';
import { profitPointsOf } from '../web/src/positions/profitPoints.ts';
import { realisedProfitOf } from '../web/src/positions/realisedProfit.ts';
import { payoutOf } from '../web/src/positions/soldPart.ts';
import { progressTexts } from '../web/src/positions/unwindTexts.ts';
import { aprOf, expectedYieldBps } from '../web/src/provide/poolApr.ts';

const position = {
  market_title: 'BTC, up "today"',
  market_ticker: 'btc-up',
  effective_side: 'yes',
  status: 'open',
  failure: null,
  entry: { opened_at: '2026-01-15T12:00:00.000Z', collateral_usd: '50.00' },
  current: {
    position_token_units: '136980000',
    notional_usd_pips: '1000000',
    collateral_usd_pips: '500000',
    position_value_usd: '98.63',
    net_unrealized_pnl_usd: '-2.93',
    net_unrealized_pnl_bps: -586,
  },
} as Partial<OpenPosition> as OpenPosition;

test('payout of a sale: what the repayment leaves, and nothing when it takes everything', () => {
  const repaid = usdcUnits(49_999_423n);
  expect(payoutOf(usdcUnits(97_255_800n), repaid)).toBe(97_255_800n - 49_999_423n);
  expect(payoutOf(usdcUnits(49_999_422n), repaid)).toBe(0n);
});

test('progress: a cancellation beside a live order → the page says that the refund follows', () => {
  const timing = { is_voided: false, settlement_state: 'none' };
  const pending_operation = { type: 'cancel', requested_at: '2026-01-15T12:00:00.000Z' };
  const cancelling = { ...position, status: 'pending', pending_operation, close_attempt: null, timing };
  expect(progressTexts(cancelling as OpenPosition).join(' ')).toMatch(/ends first; .* is refunded\./);
});

describe('export of positions', () => {
  test('quotes, commas and formulas → escaped, and a formula becomes text', () => {
    const formula = { ...position, market_title: '=HYPERLINK("x")' } as Position;
    const lines = positionsCsv([position, formula]).split('\r\n');
    expect(lines[1]).toBe('"BTC, up ""today""",YES,Open,2026-01-15T12:00:00.000Z,,50.00,98.63,-2.93,-5.86');
    expect(lines[2]).toMatch(/^"'=HYPERLINK/);
    expect(lines).toHaveLength(4);
  });
});

const soldRow: LedgerRow = {
  kind: 'unwind',
  executed_at: '2026-01-15T12:00:00.000Z',
  transaction_hash: '0x01',
  token_units: '381620000',
  price_usd_pips: '4300',
  price_usd: '0.43',
  trade_usdc_units: '164096600',
  repaid_usdc_units: '150000000',
  fee_usdc_units: '0',
  paid_in_usdc_units: '0',
  paid_out_usdc_units: '14096600',
  realized_pnl_usdc_units: '0',
  remaining_token_units: '18380000',
  remaining_principal_usdc_units: '0',
  remaining_fee_usdc_units: '0',
  leverage_bps: 10_000,
  reason: 'crypto_move',
  reason_detail: 'The underlying asset moved.',
};

test('a sale by the service → tokens, price, repaid and paid to the wallet, in the toast as well', () => {
  const text =
    'Sold to reduce the debt 381.62 tokens at 43.0 ¢: $150.00 of the loan repaid, $14.09 paid to the wallet. ' +
    '18.38 tokens left at 1x. The underlying asset moved.';
  expect(ledgerText(soldRow)).toBe(text);
  expect(toastOf('position.force_unwound', position, soldRow)?.text).toMatch(text);
});

const ledgerOf = (...data: LedgerRow[]): PositionLedger => ({
  paid_in_usdc_units: '0',
  paid_out_usdc_units: '0',
  fee_usdc_units: '0',
  realized_pnl_usdc_units: '0',
  sold_token_units: '0',
  average_exit_price_usd_pips: null,
  average_exit_price_usd: null,
  data,
  has_more: false,
});

test('realised profit → rows from an instant on, of all positions, rounded down', () => {
  const rowAt = (day: number, units: string) => ({
    ...soldRow,
    executed_at: `2026-01-${day}T12:00:00.000Z`,
    realized_pnl_usdc_units: units,
  });
  const positions = [{ ledger: ledgerOf(rowAt(10, '5000000'), rowAt(15, '-2000050')) }, {}];
  expect(realisedProfitOf(positions, 0)).toBe('29999');
  expect(realisedProfitOf(positions, Date.parse('2026-01-14T12:00:00.000Z'))).toBe('-20001');
});

test('a ledger → steps with its payouts, without what the opening cost', () => {
  const opening = { ...soldRow, kind: 'opening', paid_in_usdc_units: '50000000', paid_out_usdc_units: '0' } as const;
  const steps = stepsOf(ledgerOf(opening, soldRow));
  expect(steps.map(({ payoutUsdcUnits }) => payoutUsdcUnits)).toEqual([0n, 14_096_600n]);
});

describe('equity over the life of a position', () => {
  const yearMs = 365 * 86_400_000;
  const openingStep = {
    atMs: 1_000,
    tokenUnits: 100_000_000n,
    principalUsdcUnits: 30_000_000n,
    owedFeeUsdcUnits: 0n,
    payoutUsdcUnits: 0n,
  };
  const curve = (input: Partial<Parameters<typeof equityPointsOf>[0]>) =>
    equityPointsOf({ steps: [openingStep], prices: [], entryPricePips: 5_000, aprBps: 0, endMs: 9_000, ...input });

  test('the opening → tokens at the entry price less the loan; then at each price of its life', () => {
    const prices = [2_000, 3_000, 9_500].map((atMs, index) => ({ atMs, pips: 4_000 + index * 1_000 }));
    expect(curve({ prices })).toEqual([
      { atMs: 1_000, value: 200_000 },
      { atMs: 2_000, value: 100_000 },
      { atMs: 3_000, value: 200_000 },
    ]);
  });

  test('a sale → fewer tokens and less debt from its moment on; a debt above the value → 0', () => {
    const half = { ...openingStep, atMs: 2_000, tokenUnits: 50_000_000n, principalUsdcUnits: 10_000_000n };
    const prices = [{ atMs: 3_000, pips: 1_000 }];
    expect(curve({ steps: [openingStep, half], prices }).map(({ value }) => value)).toEqual([200_000, 150_000, 0]);
  });

  const end = { ...openingStep, atMs: 9_000, tokenUnits: 0n, principalUsdcUnits: 0n, payoutUsdcUnits: 35_000_000n };
  const margin = { ...openingStep, atMs: 2_000, principalUsdcUnits: 20_000_000n, payoutUsdcUnits: -10_000_000n };
  const sale = { ...margin, atMs: 3_000, tokenUnits: 50_000_000n, principalUsdcUnits: 10_000_000n };

  test('the end of a position → what it has paid out, not 0', () => {
    expect(curve({ steps: [openingStep, end] }).at(-1)).toEqual({ atMs: 9_000, value: 350_000 });
  });

  test('added margin and a partial sale at the price → neither profit nor loss', () => {
    const steps = [openingStep, margin, { ...sale, payoutUsdcUnits: 15_000_000n }];
    expect(curve({ steps }).map(({ value }) => value)).toEqual([200_000, 200_000, 200_000]);
  });

  test('the present → the last point with the payouts; none while the ledger is older than the position', () => {
    const steps = [openingStep, { ...sale, payoutUsdcUnits: 15_000_000n }];
    const past = curve({ steps });
    const present = (units: string, principal: string) => {
      const current = { ...position.current, position_token_units: units, effective_collateral_usd_pips: '120000' };
      const basis = { principal_usdc_units: principal } as NonNullable<OpenPosition['basis']>;
      return withPresent(past, { steps, position: { current, basis } });
    };
    expect(present('50000000', '10000000').at(-1)).toEqual({ atMs: 4_000, value: 270_000 });
    expect(present('20000000', '10000000')).toBe(past);
    expect(present('50000000', '9000000')).toBe(past);
  });

  test('interest → owed by time, and no longer after a payment', () => {
    const paid = { ...openingStep, atMs: 1_000 + yearMs, owedFeeUsdcUnits: 0n };
    const prices = [yearMs / 2, yearMs].map((ms) => ({ atMs: 1_000 + ms, pips: 5_000 }));
    const values = curve({ steps: [openingStep, paid], prices, aprBps: 1_000, endMs: 2 * yearMs }).map(
      ({ value }) => value,
    );
    expect(values).toEqual([200_000, 185_000, 200_000]);
  });
});

test('profit over time: closes in their order, then with the open positions', () => {
  const openedAt = (minute: number) => ({ opened_at: `2026-01-15T12:0${minute}:00.000Z` });
  const resultOf = (minute: number, pips: string) => ({
    closed_at: `2026-01-15T12:0${minute}:00.000Z`,
    net_realized_pnl_usd_pips: pips,
  });
  const closedAt = (openMinute: number, closeMinute: number, pips: string) => ({
    entry: openedAt(openMinute),
    result: resultOf(closeMinute, pips),
  });
  const unfilled = { entry: { opened_at: null }, result: resultOf(1, '-9') };
  const open = { entry: openedAt(3), current: { net_unrealized_pnl_usd_pips: '50' } };
  const values = profitPointsOf([open, unfilled, closedAt(2, 6, '-300'), closedAt(1, 5, '200')]).map(
    ({ value }) => value,
  );
  expect(values).toEqual([0, 200, -100, -50]);
  expect(profitPointsOf([unfilled])).toEqual([]);
});

describe('APR of the pool', () => {
  const day = 86_400;
  const point = (days: number, usdcUnits: bigint) => ({ atSeconds: days * day, usdcUnits });

  test('a history of eight days → the annualised growth of the last seven', () => {
    const points = [point(0, 900_000n), point(1, 1_000_000n), point(2, 1_000_500n)];
    expect(aprOf(points, point(8, 1_001_000n), 7)).toBe(521);
  });

  test('a loss → a negative rate; a shorter history, or none → null', () => {
    expect(aprOf([point(0, 1_000_000n)], point(30, 999_000n), 30)).toBe(-122);
    expect(aprOf([point(0, 1_000_000n)], point(29, 1_001_000n), 30)).toBeNull();
    expect(aprOf([], point(9, 1_000_000n), 7)).toBeNull();
  });
});

test.each([
  [0n, 0n],
  [2n, 0n],
  [8_000n, 640n],
  [10_000n, 800n],
])(
  'expected yield: a tenth of interest, a fifth of it for the protocol, %s bps lent → %s bps',
  (utilisationBps, yieldBps) => {
    expect(expectedYieldBps({ interestAprBps: 1_000n, utilisationBps, protocolCutBps: 2_000n })).toBe(yieldBps);
  },
);
