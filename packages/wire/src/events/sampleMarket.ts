import { usdPips } from '@core/pricing';
import { money, nullableMoney } from '../codecs/money.ts';
import type { MarketWire } from '../resources/market.ts';

const buckets = { at100_usd_bps: 100_000, at500_usd_bps: 80_000, at1000_usd_bps: 60_000, at10000_usd_bps: 40_000 };

/** Market of the sample events, as a partner with default terms receives it. */
export const sampleMarket: MarketWire = {
  id: 'mkt_01jd00000000000000000sample',
  ticker: 'sample-market',
  venue: {
    slug: 'sample-market',
    condition_id: `0x${'c0'.repeat(32)}`,
    yes_token_id: '1001',
    no_token_id: '1002',
  },
  title: 'Sample market',
  yes_sub_title: 'Up',
  no_sub_title: 'Down',
  category: 'crypto',
  event: { ticker: 'sample-event', title: 'Sample event', series_ticker: null },
  status: 'active',
  tags: ['crypto', 'BTC'],
  close_time: '2026-01-16T12:00:00.000Z',
  discovered_at: '2026-01-15T11:00:00.000Z',
  latest_enter_at: '2026-01-16T11:00:00.000Z',
  provider: 'venue',
  accepting_new_positions: true,
  rejection_reason_code: null,
  sided_eligibility: {
    yes: { accepting_new_positions: true, rejection_reason_code: null },
    no: { accepting_new_positions: true, rejection_reason_code: null },
  },
  ...money('min_collateral', usdPips(10_000n)),
  ...money('min_notional', usdPips(50_000n)),
  leverage: {
    min_bps: 20_000,
    max_yes_bps: 100_000,
    max_no_bps: 100_000,
    step_bps: 2_500,
    max_market_leverage_per_notional: { yes: buckets, no: buckets },
  },
  fees: {
    origination_tiers: [{ max_leverage_bps: 100_000, fee_bps: 75 }],
    lifetime_fee_apr_bps: 1_000,
    liquidation_fee_bps: 100,
  },
  ...nullableMoney('max_notional_yes', usdPips(10_000_000n)),
  ...nullableMoney('max_notional_no', usdPips(10_000_000n)),
  ...nullableMoney('capacity_max_notional_yes', usdPips(50_000_000n)),
  ...nullableMoney('capacity_max_notional_no', usdPips(50_000_000n)),
  ...nullableMoney('slippage_max_notional_yes', usdPips(20_000_000n)),
  ...nullableMoney('slippage_max_notional_no', usdPips(20_000_000n)),
};
