import { leverageBps, type PricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import type { OpeningTransactionWire, QuoteWire } from '@core/wire';
import { type Address, encodeFunctionData, type Hex } from 'viem';
import { vaultAbi } from '../generated/vaultAbi.ts';
import type { CreatePositionFields } from './createPositionDigest.ts';
import { toCreateRequestStruct, type UserLimits } from './createRequest.ts';

/** A whole fill. */
const allBps = 10_000;

/** The signed values of a quote as the wire shows it: what `verifyQuote` checks and `createPosition` takes. */
export function createPositionFieldsOf(quote: Omit<QuoteWire, 'transaction'>): CreatePositionFields {
  return {
    positionSeed: quote.position_seed_hex as Hex,
    user: quote.authority_public_key as Address,
    venueMarketId: quote.venue_market_id as Hex,
    venueTokenId: BigInt(quote.venue_token_id),
    collateralUsdcUnits: usdcUnits(BigInt(quote.collateral_usdc_units)),
    leverageBps: leverageBps(BigInt(quote.leverage_bps)),
    notionalUsdcUnits: usdcUnits(BigInt(quote.notional_usdc_units)),
    originationFeeBps: rateBps(BigInt(quote.origination_fee_bps)),
    lifetimeFeeAprBps: rateBps(BigInt(quote.lifetime_fee_apr_bps)),
    liquidationFeeBps: rateBps(BigInt(quote.liquidation_fee_bps)),
    signatureExpiry: BigInt(quote.signature_expiry),
    chainId: Number(quote.evm_chain_id),
    vault: quote.venue_vault_contract_address as Address,
  };
}

/**
 * The transaction that opens the position of a quote, ready to be sent by its wallet, and the allowance the vault needs
 * before. The four unsigned arguments are the quote's own numbers: the fee it expects, the fewest tokens and the
 * smallest fill it allows, and the liquidation price at those tokens, in pips, rounded up with a pip on top.
 */
export function openingTransactionOf(
  quote: Omit<QuoteWire, 'transaction'>,
  terms: { readonly usdc: Address; readonly maxLiquidationPricePips: PricePips },
): OpeningTransactionWire {
  const limits: UserLimits = {
    venueFeeUsdcUnits: usdcUnits(BigInt(quote.expected_open_trading_fee_usdc_units)),
    minPositionTokenUnits: tokenUnits(BigInt(quote.min_expected_position_token_units)),
    maxLiquidationPricePips: terms.maxLiquidationPricePips,
    minFillBps: rateBps(BigInt(quote.min_fill_bps ?? allBps)),
  };
  const request = toCreateRequestStruct(createPositionFieldsOf(quote), limits);
  const { venue_vault_contract_address: vault } = quote;
  return {
    to: vault,
    data: encodeFunctionData({
      abi: vaultAbi,
      functionName: 'createPosition',
      args: [request, quote.contract_signature as Hex],
    }),
    value: '0',
    chain_id: quote.evm_chain_id,
    approvals: [{ token: terms.usdc, spender: vault, units: quote.total_user_amount_usdc_units }],
  };
}
