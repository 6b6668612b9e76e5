/** A quote request every test service accepts: YES of its first market, three times, 100 USD, 3 % slippage. */
export const quoteBody = {
  market_ticker: 'btc-up',
  effective_side: 'yes',
  leverage_bps: 30_000,
  notional_amount_usd_pips: '1000000',
  slippage_bps: 300,
} as const;
