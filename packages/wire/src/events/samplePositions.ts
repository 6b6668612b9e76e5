import { pricePips, usdcUnits, usdPips } from '@core/pricing';
import { money, nullableMoney } from '../codecs/money.ts';
import type { ClosedPositionWire, OpenPositionWire } from '../resources/position.ts';

// Fixed data of the sample events: 100 USD of exposure at 2.5x, bought at 0.54.

const identity = {
  id: 'pos_01jd00000000000000000sample',
  created_at: '2026-01-15T12:00:00.000Z',
  market_ticker: 'sample-market',
  market_title: 'Sample market',
  provider: 'venue',
  effective_side: 'yes',
  wallet_address: '0x00000000000000000000000000000000000000A1',
  effective_leverage_bps: 25_000,
  failure: null,
  on_chain_position_key: `0x${'5a'.repeat(32)}`,
} as const;

const origination = {
  origination_fee_bps: 75,
  protocol_origination_fee_bps: 75,
  partner_origination_fee_bps: 0,
  ...money('origination_fee', usdPips(7_500n)),
};

const entry = {
  ...money('collateral', usdPips(400_000n)),
  ...money('notional', usdPips(1_000_000n)),
  leverage_bps: 25_000,
  risk_mode: 'adaptive',
  locked_margin_usd: '0.00',
  locked_margin_usdc_units: String(usdcUnits(0n)),
  ...money('price', pricePips(5_400n)),
  ...nullableMoney('effective_entry_price', pricePips(5_400n)),
  effective_slippage_bps: 0,
  position_token_units: '185185185',
  initial_fill_bps: 10_000,
  ...origination,
  opened_at: '2026-01-15T12:00:05.000Z',
  open_latency_ms: 5_000,
} as const;

const pendingEntry = {
  ...entry,
  ...nullableMoney('effective_entry_price', null),
  effective_slippage_bps: null,
  initial_fill_bps: null,
  opened_at: null,
  open_latency_ms: null,
} as const;

const open: OpenPositionWire = {
  ...identity,
  status: 'open',
  close_attempt: null,
  pending_operation: null,
  entry,
  current: {
    book_leverage_bps: 25_000,
    leverage_bps: 25_000,
    market_leverage_bps: 25_000,
    ...money('mark_price', pricePips(5_400n)),
    ...money('notional', usdPips(1_000_000n)),
    position_token_units: '185185185',
    remaining_bps: 10_000,
    ...money('collateral', usdPips(400_000n)),
    ...money('effective_collateral', usdPips(400_000n)),
    ...money('unrealized_pnl', usdPips(0n)),
    unrealized_pnl_bps: 0,
    ...money('net_unrealized_pnl', usdPips(-39_700n)),
    net_unrealized_pnl_bps: -993,
    ...money('position_value', usdPips(1_000_000n)),
    min_partial_close_token_units: '37037037',
    max_partial_close_token_units: '180185185',
  },
  risk: {
    health_bps: 10_000,
    ...money('current_liquidation_price', pricePips(3_531n)),
    liquidation_buffer_bps: 3_461,
    liquidation_fee_bps: 100,
    ...money('margin_buffer', usdPips(346_000n)),
  },
  fees: {
    lifetime_fee_apr_bps: 1_000,
    ...money('accrued_lifetime_fee', usdPips(0n)),
    ...money('pending_lifetime_fee', usdPips(0n)),
    ...money('accrued_venue_fee', usdPips(32_200n)),
    ...money('total_fees', usdPips(39_700n)),
  },
  timing: {
    is_settlement_pending: false,
    is_voided: false,
    market_close_time: '2026-01-16T12:00:00.000Z',
    market_status: 'active',
    settlement_state: 'none',
    time_to_close_minutes: 1_439,
  },
};

/** Build a sample of an open position with the fields that differ. */
export function sampleOpenPosition(changes: Partial<OpenPositionWire> = {}): OpenPositionWire {
  return { ...open, ...changes };
}

/** Build a sample of a position whose opening order has not been filled yet. */
export function samplePendingPosition(): OpenPositionWire {
  return sampleOpenPosition({
    status: 'pending',
    entry: pendingEntry,
    current: { ...open.current, remaining_bps: null },
  });
}

/** Build a sample of a closed position with the given end. */
export function sampleClosedPosition(
  end: Pick<ClosedPositionWire, 'status' | 'close_reason'> & Pick<Partial<ClosedPositionWire>, 'failure'>,
): ClosedPositionWire {
  return {
    ...identity,
    ...end,
    entry,
    result: {
      closed_at: '2026-01-15T18:00:00.000Z',
      ...money('realized_pnl', usdPips(30_000n)),
      ...money('net_realized_pnl', usdPips(-9_700n)),
      net_realized_pnl_bps: -243,
      ...money('proceeds', usdPips(430_000n)),
      ...money('collected_lifetime_fee', usdPips(42n)),
      ...money('collected_liquidation_fee', usdPips(0n)),
    },
    fees: {
      lifetime_fee_apr_bps: 1_000,
      ...money('total_lifetime_fee', usdPips(42n)),
      ...money('total_venue_fee', usdPips(32_200n)),
      ...money('total_fees', usdPips(39_742n)),
      ...origination,
    },
  };
}
