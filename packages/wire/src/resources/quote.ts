import { z } from 'zod';
import { bytes16Hex, bytes32Hex, evmAddress, idText, isoTime, uint256Text } from '../codecs/formats.ts';
import { moneyUnitsShape, priceShape, signedMoneyUnitsShape } from '../codecs/moneyShapes.ts';
import { leverageBpsNumber, rateBpsNumber, tokenUnitsText, usdcUnitsText } from '../codecs/quantities.ts';
import { providerValue, sideValue } from './market.ts';

const maxGain = z
  .object({ ...signedMoneyUnitsShape('gross_max_gain'), ...signedMoneyUnitsShape('net_max_gain') })
  .meta({ description: 'Only with `expand=max_gain`; excludes lifetime fees and may be negative' });

/** What drafts and real quotes have in common: all figures. */
const figures = {
  authority_public_key: evmAddress.meta({ description: 'Wallet address of the token' }),
  market_ticker: z.string(),
  effective_side: sideValue,
  provider: providerValue,
  leverage_bps: leverageBpsNumber,
  collateral_usdc_units: usdcUnitsText,
  ...moneyUnitsShape('notional_amount'),
  notional_usdc_units: usdcUnitsText,
  ...priceShape('entry_price'),
  ...priceShape('current_liquidation_price'),
  liquidation_fee_bps: rateBpsNumber,
  lifetime_fee_apr_bps: rateBpsNumber,
  origination_fee_bps: rateBpsNumber,
  ...moneyUnitsShape('origination_fee'),
  protocol_origination_fee_bps: rateBpsNumber,
  ...moneyUnitsShape('protocol_origination_fee'),
  partner_origination_fee_bps: rateBpsNumber,
  ...moneyUnitsShape('partner_origination_fee'),
  ...moneyUnitsShape('expected_open_trading_fee'),
  partner_trading_fee_bps: rateBpsNumber,
  ...moneyUnitsShape('partner_trading_fee'),
  venue_trading_fee_bps: rateBpsNumber,
  ...moneyUnitsShape('total_user_amount'),
  min_expected_position_token_units: tokenUnitsText,
  venue_market_id: bytes32Hex,
  venue_token_id: uint256Text,
  venue_vault_contract_address: evmAddress,
  expires_at: isoTime,
  allow_partial_fill: z.literal(true).optional().meta({ description: 'Echoed when partial-open was requested' }),
  min_fill_bps: rateBpsNumber.optional(),
  max_gain: maxGain.optional(),
};

/** Specification, Resources, Quote: a signed quote that can open a position until it expires. */
export const quote = z
  .object({
    id: idText('off'),
    ...figures,
    on_chain_position_key: bytes32Hex,
    position_seed: uint256Text,
    position_seed_hex: bytes16Hex,
    contract_signature: z
      .string()
      .regex(/^0x[0-9a-f]{130}$/)
      .meta({ description: 'EIP-191 signature over the 14 packed values' }),
    evm_chain_id: z.string().regex(/^[1-9]\d*$/),
    signature_expiry: z
      .string()
      .regex(/^[1-9]\d*$/)
      .meta({ description: 'Unix time in seconds' }),
    swap_transaction: z.string().optional().meta({ description: 'Never present on EVM chains' }),
  })
  .meta({ id: 'Quote' });

/** The draft variant: same figures, nothing that could open a position. */
export const draftQuote = z
  .object({
    id: idText('dro'),
    ...figures,
    on_chain_position_key: z.literal(''),
    position_seed: z.literal(''),
    position_seed_hex: z.literal(''),
    contract_signature: z.literal(''),
    evm_chain_id: z.literal(''),
    signature_expiry: z.literal('0'),
  })
  .meta({ id: 'DraftQuote' });

/** The wire form of a signed quote. */
export type QuoteWire = z.input<typeof quote>;
/** The wire form of a draft. */
export type DraftQuoteWire = z.input<typeof draftQuote>;
