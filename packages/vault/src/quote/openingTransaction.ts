import { leverageBps, rateBps, type UsdcUnits, usdcUnits } from '@core/pricing';
import { type Address, encodeFunctionData, type Hex } from 'viem';
import { vaultAbi } from '../generated/vaultAbi.ts';
import type { CreatePositionFields } from './createPositionDigest.ts';
import { toCreateRequestStruct, type UserLimits } from './createRequest.ts';

/** Signed values of a quote under their wire names: amounts and ids as text, rates as numbers of basis points. */
export interface SignedQuoteWire {
  readonly position_seed_hex: Hex;
  readonly authority_public_key: Address;
  readonly venue_market_id: Hex;
  readonly venue_token_id: string;
  readonly collateral_usdc_units: string;
  readonly leverage_bps: number;
  readonly notional_usdc_units: string;
  readonly origination_fee_bps: number;
  readonly lifetime_fee_apr_bps: number;
  readonly liquidation_fee_bps: number;
  readonly signature_expiry: string;
  readonly evm_chain_id: string;
  readonly venue_vault_contract_address: Address;
}

/** Return the signed values of a wire quote, for `verifyQuote` and `createPosition`. */
export function createPositionFieldsOf(quote: SignedQuoteWire): CreatePositionFields {
  return {
    positionSeed: quote.position_seed_hex,
    user: quote.authority_public_key,
    venueMarketId: quote.venue_market_id,
    venueTokenId: BigInt(quote.venue_token_id),
    collateralUsdcUnits: usdcUnits(BigInt(quote.collateral_usdc_units)),
    leverageBps: leverageBps(BigInt(quote.leverage_bps)),
    notionalUsdcUnits: usdcUnits(BigInt(quote.notional_usdc_units)),
    originationFeeBps: rateBps(BigInt(quote.origination_fee_bps)),
    lifetimeFeeAprBps: rateBps(BigInt(quote.lifetime_fee_apr_bps)),
    liquidationFeeBps: rateBps(BigInt(quote.liquidation_fee_bps)),
    signatureExpiry: BigInt(quote.signature_expiry),
    chainId: Number(quote.evm_chain_id),
    vault: quote.venue_vault_contract_address,
  };
}

/** Signed quote with the limits of its user. */
export interface Opening {
  readonly fields: CreatePositionFields;
  readonly limits: UserLimits;
  /** Signature of the quote. */
  readonly signature: Hex;
  /** Address of the stablecoin. */
  readonly usdc: Address;
  /** Collateral and fees that the vault takes from the user. */
  readonly totalUserAmountUsdcUnits: UsdcUnits;
}

/** Transaction that opens a position, with the allowance that the vault needs first. It sends no native coin. */
export interface OpeningTransaction {
  readonly to: Address;
  readonly data: Hex;
  readonly chainId: number;
  readonly approval: { readonly token: Address; readonly spender: Address; readonly usdcUnits: UsdcUnits };
}

/** Build the transaction that opens the position of a quote, ready to be sent by its wallet. */
export function openingTransactionOf(opening: Opening): OpeningTransaction {
  const { fields, limits, signature, usdc, totalUserAmountUsdcUnits } = opening;
  const { vault, chainId } = fields;
  const args = [toCreateRequestStruct(fields, limits), signature] as const;
  return {
    to: vault,
    data: encodeFunctionData({ abi: vaultAbi, functionName: 'createPosition', args }),
    chainId,
    approval: { token: usdc, spender: vault, usdcUnits: totalUserAmountUsdcUnits },
  };
}
