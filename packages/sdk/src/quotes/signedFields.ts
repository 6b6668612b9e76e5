import type { createPositionFieldsOf } from '@core/vault';

/** Signed values of a quote, without the constant tag. */
export type SignedFields = ReturnType<typeof createPositionFieldsOf>;

/** Wire name of each signed value. */
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

/** Wire names of the signed values in signing order. */
export const signedFieldNames: readonly string[] = Object.values(wireNameOf);
