import type { PricedQuote } from '@core/policy';
import { raw } from '@core/pricing';
import type { DraftQuoteWire, QuoteWire } from '@core/wire';
import { money, moneyPair } from '@core/wire';
import { type Address, getAddress } from 'viem';
import { isoTimeOf } from './isoTime.ts';

/** What a quote says beside its figures. */
export interface QuoteSubject {
  readonly walletAddress: string;
  readonly marketTicker: string;
  readonly venueMarketId: string;
  readonly vault: Address;
  /** Figures of `expand=max_gain` only when asked for. */
  readonly withMaxGain: boolean;
}

/** What makes a quote real. */
export interface SignedPart {
  readonly id: string;
  readonly positionKey: string;
  readonly positionSeed: string;
  readonly positionSeedDecimal: string;
  readonly signature: string;
  readonly chainId: number;
  readonly signatureExpirySeconds: bigint;
}

type Figures = Omit<
  QuoteWire,
  | 'id'
  | 'on_chain_position_key'
  | 'position_seed'
  | 'position_seed_hex'
  | 'contract_signature'
  | 'evm_chain_id'
  | 'signature_expiry'
  | 'swap_transaction'
  | 'expires_at'
>;

/** A signed quote in its wire form. */
export function presentQuote(priced: PricedQuote, subject: QuoteSubject, signed: SignedPart): QuoteWire {
  return {
    id: signed.id,
    ...presentFigures(priced, subject),
    on_chain_position_key: signed.positionKey,
    position_seed: signed.positionSeedDecimal,
    position_seed_hex: signed.positionSeed,
    contract_signature: signed.signature,
    evm_chain_id: String(signed.chainId),
    signature_expiry: String(signed.signatureExpirySeconds),
    expires_at: isoTimeOf(Number(signed.signatureExpirySeconds) * 1_000),
  };
}

/** A draft in its wire form: the same figures, and nothing that could open a position. */
export function presentDraft(
  priced: PricedQuote,
  subject: QuoteSubject,
  draft: { readonly id: string; readonly createdAtMs: number },
): DraftQuoteWire {
  return {
    id: draft.id,
    ...presentFigures(priced, subject),
    on_chain_position_key: '',
    position_seed: '',
    position_seed_hex: '',
    contract_signature: '',
    evm_chain_id: '',
    signature_expiry: '0',
    expires_at: isoTimeOf(draft.createdAtMs),
  };
}

function presentFigures(priced: PricedQuote, subject: QuoteSubject): Figures {
  const { figures } = priced;
  return {
    authority_public_key: getAddress(subject.walletAddress),
    market_ticker: subject.marketTicker,
    effective_side: priced.side,
    provider: 'venue',
    leverage_bps: Number(raw(figures.leverageBps)),
    collateral_usdc_units: String(raw(figures.collateralUsdcUnits)),
    ...moneyPair('notional_amount', figures.notionalUsdPips, figures.notionalUsdcUnits),
    notional_usdc_units: String(raw(figures.notionalUsdcUnits)),
    ...money('entry_price', figures.entryPricePips),
    ...money('current_liquidation_price', figures.currentLiquidationPricePips),
    liquidation_fee_bps: Number(raw(figures.liquidationFeeBps)),
    lifetime_fee_apr_bps: Number(raw(figures.lifetimeFeeAprBps)),
    ...presentFees(priced),
    min_expected_position_token_units: String(raw(figures.minExpectedPositionTokenUnits)),
    venue_market_id: subject.venueMarketId,
    venue_token_id: priced.tokenId,
    venue_vault_contract_address: getAddress(subject.vault),
    ...(priced.allowPartialFill && { allow_partial_fill: true as const, min_fill_bps: Number(raw(priced.minFillBps)) }),
    ...(subject.withMaxGain && { max_gain: presentMaxGain(priced) }),
  };
}

function presentFees({ figures }: PricedQuote) {
  return {
    origination_fee_bps: Number(raw(figures.originationFeeBps)),
    ...moneyPair('origination_fee', figures.originationFeeUsdPips, figures.originationFeeUsdcUnits),
    protocol_origination_fee_bps: Number(raw(figures.protocolOriginationFeeBps)),
    ...moneyPair(
      'protocol_origination_fee',
      figures.protocolOriginationFeeUsdPips,
      figures.protocolOriginationFeeUsdcUnits,
    ),
    partner_origination_fee_bps: Number(raw(figures.partnerOriginationFeeBps)),
    ...moneyPair(
      'partner_origination_fee',
      figures.partnerOriginationFeeUsdPips,
      figures.partnerOriginationFeeUsdcUnits,
    ),
    ...moneyPair(
      'expected_open_trading_fee',
      figures.expectedOpenTradingFeeUsdPips,
      figures.expectedOpenTradingFeeUsdcUnits,
    ),
    partner_trading_fee_bps: Number(raw(figures.partnerTradingFeeBps)),
    ...moneyPair('partner_trading_fee', figures.partnerTradingFeeUsdPips, figures.partnerTradingFeeUsdcUnits),
    venue_trading_fee_bps: Number(raw(figures.venueTradingFeeBps)),
    ...moneyPair('total_user_amount', figures.totalUserAmountUsdPips, figures.totalUserAmountUsdcUnits),
  };
}

function presentMaxGain({ figures }: PricedQuote) {
  return {
    ...moneyPair('gross_max_gain', figures.grossMaxGainUsdPips, figures.grossMaxGainUsdcUnits),
    ...moneyPair('net_max_gain', figures.netMaxGainUsdPips, figures.netMaxGainUsdcUnits),
  };
}
