import type { MarketRecord } from '@core/market';
import { type PricedQuote, quoteExpiryMsOf, type Route } from '@core/policy';
import { maxGainFigures, quoteFigures, raw, wireFiguresOf } from '@core/pricing';
import type { DraftRecord } from '@core/store';
import {
  type CreatePositionFields,
  createPositionFieldsOf,
  openingTransactionOf,
  positionSeedToDecimal,
} from '@core/vault';
import {
  type DraftQuoteWire,
  isoTimeOf,
  money,
  moneyPair,
  type OpeningTransactionWire,
  type QuoteWire,
  wireIdOf,
} from '@core/wire';
import { type Address, getAddress, type Hex } from 'viem';
import type { UserCaller } from '../auth/authenticate.ts';
import { evmAddressOf } from '../auth/walletAddress.ts';
import { isExpanded } from '../http/call.ts';
import type { Deployment, SignedQuote } from './issueQuote.ts';

type QuoteExpansion = 'max_gain' | 'transaction' | 'basis';

/** Context of a quote's presentation beside its record. */
interface QuoteSubject {
  readonly caller: UserCaller;
  readonly market: MarketRecord;
  /** Expansions that the caller asked for. */
  readonly expand: readonly QuoteExpansion[] | undefined;
}

/** The wire forms of quotes of one deployment. */
export interface QuotePresenter {
  quote(signed: SignedQuote, subject: QuoteSubject): QuoteWire;
  /** The same figures, and nothing that could open a position. */
  draft(draft: DraftRecord, subject: QuoteSubject): DraftQuoteWire;
}

export function quotePresenter(
  deployment: Omit<Deployment, 'keccak256'> & { readonly usdc: Address; readonly route: Route },
  idNamespace: string,
): QuotePresenter {
  const [vault, usdc] = [getAddress(deployment.vault), getAddress(deployment.usdc)];
  const place = { vault, route: deployment.route };
  return {
    quote: ({ record, signature }, subject) => {
      const quote = {
        id: wireIdOf(record.id, idNamespace),
        ...presentFigures(record.figures, subject, place),
        on_chain_position_key: record.positionKey,
        position_seed: positionSeedToDecimal(record.positionSeed),
        position_seed_hex: record.positionSeed,
        contract_signature: signature,
        evm_chain_id: String(deployment.chainId),
        signature_expiry: String(record.signatureExpirySeconds),
        expires_at: isoTimeOf(quoteExpiryMsOf(record)),
      };
      if (!isExpanded(subject, 'transaction')) return quote;
      const fields = createPositionFieldsOf(quote);
      return { ...quote, transaction: presentOpening({ fields, priced: record.figures, signature, usdc }) };
    },
    draft: (draft, subject) => ({
      id: wireIdOf(draft.id, idNamespace),
      ...presentFigures(draft.figures, subject, place),
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

function presentFigures(
  priced: PricedQuote,
  subject: QuoteSubject,
  { vault, route }: { readonly vault: Address; readonly route: Route },
) {
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
    ...wireFiguresOf(quoteFigures, figures),
    min_expected_position_token_units: String(raw(figures.minExpectedPositionTokenUnits)),
    venue_market_id: subject.market.venueMarketId,
    venue_token_id: priced.tokenId,
    venue_vault_contract_address: vault,
    ...(priced.allowPartialFill && { allow_partial_fill: true as const, min_fill_bps: Number(raw(priced.minFillBps)) }),
    ...(isExpanded(subject, 'max_gain') && { max_gain: wireFiguresOf(maxGainFigures, figures) }),
    ...(isExpanded(subject, 'basis') && { basis: presentBasis(priced, route) }),
  };
}

/** Present the opening transaction. Its unsigned limits are figures of the quote. */
function presentOpening({
  fields,
  priced,
  signature,
  usdc,
}: {
  readonly fields: CreatePositionFields;
  readonly priced: PricedQuote;
  readonly signature: Hex;
  readonly usdc: Address;
}): OpeningTransactionWire {
  const { figures } = priced;
  const { to, data, chainId, approval } = openingTransactionOf({
    fields,
    limits: {
      venueFeeUsdcUnits: figures.expectedOpenTradingFeeUsdcUnits,
      minPositionTokenUnits: figures.minExpectedPositionTokenUnits,
      maxLiquidationPricePips: figures.maxLiquidationPricePips,
      minFillBps: priced.minFillBps,
    },
    signature,
    usdc,
    totalUserAmountUsdcUnits: figures.totalUserAmountUsdcUnits,
  });
  const { token, spender, usdcUnits } = approval;
  return {
    to,
    data,
    value: '0',
    chain_id: String(chainId),
    approvals: [{ token, spender, units: String(raw(usdcUnits)) }],
  };
}

function presentBasis(
  { figures, slippageBps, exitBufferBps }: PricedQuote,
  route: Route,
): NonNullable<QuoteWire['basis']> {
  return {
    position_token_units: String(raw(figures.positionTokenUnits)),
    venue_fee_usdc_units: String(raw(figures.venueFeeUsdcUnits)),
    slippage_bps: Number(raw(slippageBps)),
    exit_buffer_bps: Number(raw(exitBufferBps)),
    opening_route: route,
  };
}
