import { type PricedQuote, quoteExpiryMsOf } from '@core/policy';
import { raw } from '@core/pricing';
import type { DraftRecord, MarketRecord } from '@core/store';
import { openingTransactionOf, positionSeedToDecimal } from '@core/vault';
import {
  type DraftQuoteWire,
  figuresOf,
  isoTimeOf,
  maxGainFigures,
  money,
  moneyPair,
  type QuoteWire,
  quoteFigures,
  wireIdOf,
} from '@core/wire';
import { type Address, getAddress, type Hex } from 'viem';
import type { UserCaller } from '../auth/authenticate.ts';
import { evmAddressOf } from '../auth/walletAddress.ts';
import { isExpanded } from '../http/call.ts';
import type { Deployment, SignedQuote } from './issueQuote.ts';

type QuoteExpansion = 'max_gain' | 'transaction' | 'basis';

/** What a quote says beside its record. */
interface QuoteSubject {
  readonly caller: UserCaller;
  readonly market: MarketRecord;
  /** What is shown only when asked for. */
  readonly expand: readonly QuoteExpansion[] | undefined;
}

/** The wire forms of quotes of one deployment. */
export interface QuotePresenter {
  quote(signed: SignedQuote, subject: QuoteSubject): QuoteWire;
  /** The same figures, and nothing that could open a position. */
  draft(draft: DraftRecord, subject: QuoteSubject): DraftQuoteWire;
}

export function quotePresenter(
  deployment: Omit<Deployment, 'keccak256'> & { readonly usdc: Address },
  idNamespace: string,
): QuotePresenter {
  const [vault, usdc] = [getAddress(deployment.vault), getAddress(deployment.usdc)];
  return {
    quote: ({ record, signature }, subject) => {
      const quote = {
        id: wireIdOf(record.id, idNamespace),
        ...presentFigures(record.figures, subject, vault),
        on_chain_position_key: record.positionKey,
        position_seed: positionSeedToDecimal(record.positionSeed as Hex),
        position_seed_hex: record.positionSeed,
        contract_signature: signature,
        evm_chain_id: String(deployment.chainId),
        signature_expiry: String(record.signatureExpirySeconds),
        expires_at: isoTimeOf(quoteExpiryMsOf(record)),
      };
      if (!isExpanded(subject, 'transaction')) return quote;
      const { maxLiquidationPricePips } = record.figures.figures;
      return { ...quote, transaction: openingTransactionOf(quote, { usdc, maxLiquidationPricePips }) };
    },
    draft: (draft, subject) => ({
      id: wireIdOf(draft.id, idNamespace),
      ...presentFigures(draft.figures, subject, vault),
      on_chain_position_key: '',
      position_seed: '',
      position_seed_hex: '',
      contract_signature: '',
      evm_chain_id: '',
      signature_expiry: '0',
      expires_at: isoTimeOf(draft.createdAtMs),
    }),
  };
}

function presentFigures(priced: PricedQuote, subject: QuoteSubject, vault: Address) {
  const { figures } = priced;
  return {
    authority_public_key: evmAddressOf(subject.caller.wallet),
    market_ticker: subject.market.ticker,
    effective_side: priced.side,
    provider: 'venue' as const,
    leverage_bps: Number(raw(figures.leverageBps)),
    collateral_usdc_units: String(raw(figures.collateralUsdcUnits)),
    ...moneyPair('notional_amount', figures.notionalUsdPips, figures.notionalUsdcUnits),
    notional_usdc_units: String(raw(figures.notionalUsdcUnits)),
    ...money('entry_price', figures.entryPricePips),
    ...money('current_liquidation_price', figures.currentLiquidationPricePips),
    ...figuresOf(quoteFigures, figures),
    min_expected_position_token_units: String(raw(figures.minExpectedPositionTokenUnits)),
    venue_market_id: subject.market.venueMarketId,
    venue_token_id: priced.tokenId,
    venue_vault_contract_address: vault,
    ...(priced.allowPartialFill && { allow_partial_fill: true as const, min_fill_bps: Number(raw(priced.minFillBps)) }),
    ...(isExpanded(subject, 'max_gain') && { max_gain: figuresOf(maxGainFigures, figures) }),
    ...(isExpanded(subject, 'basis') && { basis: presentBasis(priced) }),
  };
}

function presentBasis({ figures, slippageBps, exitBufferBps }: PricedQuote): NonNullable<QuoteWire['basis']> {
  return {
    position_token_units: String(raw(figures.positionTokenUnits)),
    venue_fee_usdc_units: String(raw(figures.venueFeeUsdcUnits)),
    slippage_bps: Number(raw(slippageBps)),
    exit_buffer_bps: Number(raw(exitBufferBps)),
  };
}
