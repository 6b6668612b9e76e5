import { routeNames } from '@core/position';
import { maxGainFigures, quoteFigures } from '@core/pricing';
import { z } from 'zod';
import { figureShape } from '../codecs/figures.ts';
import {
  bytes16Hex,
  bytes32Hex,
  evmAddress,
  hexBytes,
  idText,
  isoTime,
  signatureHex,
  uint256Text,
} from '../codecs/formats.ts';
import { moneyUnitsShape, priceShape } from '../codecs/moneyShapes.ts';
import { leverageBpsNumber, rateBpsNumber, tokenUnitsText, usdcUnitsText } from '../codecs/quantities.ts';
import { providerValue, sideValue } from './market.ts';

const maxGain = z
  .object(figureShape(maxGainFigures))
  .meta({ description: 'Only with `expand=max_gain`; excludes lifetime fees and may be negative' });

/** Transaction that opens the position of a quote. A house expansion, so that a wallet needs no ABI. */
const openingTransaction = z
  .object({
    to: evmAddress,
    data: hexBytes,
    value: uint256Text.meta({ description: 'Native coin to send, in its smallest unit: 0' }),
    chain_id: z.string().regex(/^[1-9]\d*$/),
    approvals: z
      .array(z.object({ token: evmAddress, spender: evmAddress, units: usdcUnitsText }))
      .meta({ description: 'Allowances required before the transaction is sent' }),
  })
  .meta({ id: 'OpeningTransaction', description: 'Only with `expand=transaction`; valid until the quote expires' });

/** Inputs of the figures of the fill. A house expansion, so that a client can recompute each of them. */
const quoteBasis = z
  .object({
    position_token_units: tokenUnitsText.meta({ description: 'Tokens expected for the whole notional' }),
    venue_fee_usdc_units: usdcUnitsText.meta({ description: 'Venue part of the expected trading fee' }),
    slippage_bps: rateBpsNumber.meta({ description: 'Slippage of the request' }),
    exit_buffer_bps: rateBpsNumber.meta({ description: 'Margin above the debt at which liquidation begins' }),
    opening_route: z
      .enum(routeNames)
      .meta({ description: 'Route of the opening: `direct` trades at the venue, `fill` with fillers' }),
  })
  .meta({ id: 'QuoteBasis', description: 'Only with `expand=basis`' });

/** Fields that drafts and signed quotes share. */
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
  ...figureShape(quoteFigures),
  min_expected_position_token_units: tokenUnitsText,
  venue_market_id: bytes32Hex,
  venue_token_id: uint256Text,
  venue_vault_contract_address: evmAddress,
  expires_at: isoTime,
  allow_partial_fill: z.literal(true).optional().meta({ description: 'Echoed when partial-open was requested' }),
  min_fill_bps: rateBpsNumber.optional(),
  max_gain: maxGain.optional(),
  basis: quoteBasis.optional(),
};

/** Signed quote that can open a position until it expires (specification, Resources, Quote). */
export const quote = z
  .object({
    id: idText('off'),
    ...figures,
    on_chain_position_key: bytes32Hex,
    position_seed: uint256Text,
    position_seed_hex: bytes16Hex,
    contract_signature: signatureHex.meta({ description: 'EIP-191 signature over the 14 packed values' }),
    evm_chain_id: z.string().regex(/^[1-9]\d*$/),
    signature_expiry: z
      .string()
      .regex(/^[1-9]\d*$/)
      .meta({ description: 'Unix time in seconds' }),
    transaction: openingTransaction.optional(),
    swap_transaction: z.string().optional().meta({ description: 'Never present on EVM chains' }),
  })
  .meta({ id: 'Quote' });

/** Draft: the same figures, without signature and key. */
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

/** Wire form of a signed quote. */
export type QuoteWire = z.input<typeof quote>;
/** Wire form of an opening transaction. */
export type OpeningTransactionWire = z.input<typeof openingTransaction>;
/** Wire form of a draft. */
export type DraftQuoteWire = z.input<typeof draftQuote>;
