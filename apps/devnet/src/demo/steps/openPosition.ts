import { createPositionFieldsOf, verifyQuote } from '@core/vault';
import type { DraftQuoteWire, QuoteWire } from '@core/wire';
import type { Address } from 'viem';
import type { Wallet } from '../clients/wallet.ts';
import { codePlaces } from '../codePlaces.ts';
import type { StepPrinter } from '../stepPrinter.ts';
import type { DemoPosition, Driver } from './driver.ts';
import { printEntry } from './printPosition.ts';
import { waitForStatus } from './waitForStatus.ts';

export interface OpeningPlan {
  readonly marketTicker: string;
  readonly side: 'yes' | 'no';
  readonly leverageBps: number;
  readonly notionalUsdPips: string;
}

const slippageBps = 500;

/** Draft, promote, verify, approve and call createPosition. Resolves when the position is open. */
export async function openPosition(driver: Driver, wallet: Wallet, plan: OpeningPlan): Promise<DemoPosition> {
  const { api, printer } = driver;
  printer.step(`${wallet.name} requests a draft`, codePlaces.createDraft);
  const token = await api.token(wallet.address);
  const draft = await api.draft(token, {
    market_ticker: plan.marketTicker,
    effective_side: plan.side,
    leverage_bps: plan.leverageBps,
    notional_amount_usd_pips: plan.notionalUsdPips,
    slippage_bps: slippageBps,
    allow_revision: true,
  });
  printDraft(printer, draft);
  printer.step('Promote the draft to a signed quote', codePlaces.promoteDraft);
  const quote = await api.promote(token, draft.id);
  await checkSignature(driver, quote, wallet.address);
  await submit(driver, wallet, quote);
  printer.step('The keeper buys within attested limits', codePlaces.keeperPositions);
  const demoPosition = { wallet, token, key: quote.on_chain_position_key };
  printEntry(printer, await waitForStatus(driver, demoPosition, ['open']));
  return demoPosition;
}

function printDraft(printer: StepPrinter, draft: DraftQuoteWire): void {
  printer.figures({
    draft: draft.id,
    leverage: `${draft.leverage_bps / 10_000}x`,
    notional: `${draft.notional_amount_usd} USD`,
    entry: `${draft.entry_price_usd} USD`,
    'liquidation at': `${draft.current_liquidation_price_usd} USD`,
    'origination fee': `${draft.origination_fee_usd} USD`,
    'expected venue fee': `${draft.expected_open_trading_fee_usd} USD`,
    'user pays': `${draft.total_user_amount_usd} USD`,
    'net gain at most': draft.max_gain === undefined ? undefined : `${draft.max_gain.net_max_gain_usd} USD`,
  });
}

async function checkSignature({ printer, contractInfo }: Driver, quote: QuoteWire, user: Address): Promise<void> {
  printer.step('Verify the signature before signing anything', codePlaces.verifyQuote);
  const verified = await verifyQuote({
    fields: createPositionFieldsOf(quote),
    signature: quote.contract_signature,
    expected: {
      signer: contractInfo.polygon_signer_address,
      chainId: Number(contractInfo.evm_chain_id),
      vault: contractInfo.polygon_vault_contract_address,
      user,
    },
  });
  if (!verified.verified) throw new Error(`the signature of ${quote.id} is invalid: ${verified.field} differs`);
  printer.figures({ digest: verified.digest, signer: contractInfo.polygon_signer_address });
}

async function submit({ printer }: Driver, wallet: Wallet, quote: QuoteWire): Promise<void> {
  printer.step(`${wallet.name} approves USDC and sends the transaction of the quote`, codePlaces.vault);
  if (quote.transaction === undefined) throw new Error(`the quote ${quote.id} has no transaction`);
  await wallet.open(quote.transaction);
  printer.figures({ 'position key': quote.on_chain_position_key });
}
