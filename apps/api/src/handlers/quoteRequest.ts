import type { QuoteRequest } from '@core/policy';
import type { QuoteRequest as ParsedQuoteRequest } from '@core/wire';
import type { Wallet } from '../auth/walletAddress.ts';

/** The parsed body in the words of the policy. */
export function quoteRequestOf(body: ParsedQuoteRequest, wallet: Wallet): QuoteRequest {
  return {
    walletAddress: wallet.address,
    side: body.effective_side,
    leverageBps: body.leverage_bps,
    notionalUsdPips: body.notional_amount_usd_pips,
    slippageBps: body.slippage_bps,
    allowRevision: body.allow_revision,
    allowPartialFill: body.allow_partial_fill,
    minFillBps: body.min_fill_bps ?? null,
    draftEntryPricePips: null,
  };
}
