import type { createPositionFieldsOf } from '@core/vault';

/** The values of a quote that are signed, beside the constant tag. */
export type SignedFields = ReturnType<typeof createPositionFieldsOf>;

/** Where each signed value stands in a quote. */
export const wireNameOf = {
  positionSeed: 'position_seed_hex',
  user: 'authority_public_key',
  venueMarketId: 'venue_market_id',
  venueTokenId: 'venue_token_id',
  collateralUsdcUnits: 'collateral_usdc_units',
  leverageBps: 'leverage_bps',
  notionalUsdcUnits: 'notional_usdc_units',
  originationFeeBps: 'origination_fee_bps',
  lifetimeFeeAprBps: 'lifetime_fee_apr_bps',
  liquidationFeeBps: 'liquidation_fee_bps',
  signatureExpiry: 'signature_expiry',
  chainId: 'evm_chain_id',
  vault: 'venue_vault_contract_address',
} as const satisfies Record<keyof SignedFields, string>;

/** Names of the signed values in a quote, in the order in which they are signed. */
export const signedFieldNames: readonly string[] = Object.values(wireNameOf);
