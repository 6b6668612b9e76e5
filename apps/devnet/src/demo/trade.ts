import { setTimeout as delay } from 'node:timers/promises';
import { leverageBps, rateBps, usdcUnits } from '@core/pricing';
import { type CreatePositionFields, verifyQuote } from '@core/vault';
import type { ContractInfoWire, PositionWire, QuoteWire } from '@core/wire';
import type { Address, Hex } from 'viem';
import type { ApiCustomer } from './apiCustomer.ts';
import type { Story } from './story.ts';
import type { Wallet } from './wallet.ts';

/** Who trades, and through what. */
export interface Desk {
  readonly api: ApiCustomer;
  readonly story: Story;
  readonly contractInfo: ContractInfoWire;
}

/** A position of the demo, with its user's token. */
export interface DemoPosition {
  readonly wallet: Wallet;
  readonly token: string;
  readonly key: Hex;
  readonly id: string;
}

export interface OpeningPlan {
  readonly marketTicker: string;
  readonly side: 'yes' | 'no';
  readonly leverageBps: number;
  readonly notionalUsdPips: string;
}

const slippageBps = 500;
const patienceMs = 90_000;
const pollMs = 1_500;

/** Draft, promotion, check of the signature, approval, createPosition; resolves when the position is open. */
export async function openPosition(desk: Desk, wallet: Wallet, plan: OpeningPlan): Promise<DemoPosition> {
  const { api, story } = desk;
  story.step(`${wallet.name} asks for a draft`, 'apps/api/src/handlers/createDraftQuote.ts');
  const token = await api.token(wallet.address);
  const draft = await api.draft(token, {
    market_ticker: plan.marketTicker,
    effective_side: plan.side,
    leverage_bps: plan.leverageBps,
    notional_amount_usd_pips: plan.notionalUsdPips,
    slippage_bps: slippageBps,
    allow_revision: true,
  });
  story.figures({
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
  story.step('The draft is promoted to a signed quote', 'apps/api/src/handlers/promoteDraftQuote.ts');
  const quote = await api.promote(token, draft.id);
  await checkSignature(desk, wallet, quote);
  await submit(desk, wallet, quote);
  story.step('The keeper buys with the price signer’s consent', 'apps/keeper/src/position');
  const position = await waitForStatus(desk, { wallet, token, key: quote.on_chain_position_key as Hex }, ['open']);
  printEntry(story, position);
  return { wallet, token, key: quote.on_chain_position_key as Hex, id: position.id };
}

async function checkSignature({ story, contractInfo }: Desk, wallet: Wallet, quote: QuoteWire): Promise<void> {
  story.step('The signature is checked before anything is signed', 'packages/vault/src/verifyQuote.ts');
  const fields: CreatePositionFields = {
    positionSeed: quote.position_seed_hex as Hex,
    user: wallet.address,
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
  const verified = await verifyQuote({
    fields,
    signature: quote.contract_signature as Hex,
    expected: {
      signer: contractInfo.polygon_signer_address as Address,
      chainId: Number(contractInfo.evm_chain_id),
      vault: contractInfo.polygon_vault_contract_address as Address,
    },
  });
  if (!verified.verified) throw new Error(`the signature of ${quote.id} does not hold: ${verified.field} differs`);
  story.figures({ digest: verified.digest, signer: contractInfo.polygon_signer_address });
}

async function submit({ story }: Desk, wallet: Wallet, quote: QuoteWire): Promise<void> {
  story.step(`${wallet.name} approves USDC and calls createPosition`, 'contracts/src/Vault.sol');
  await wallet.approve(BigInt(quote.total_user_amount_usdc_units));
  await wallet.callVault('createPosition', [requestOf(quote), quote.contract_signature]);
  story.figures({ 'position key': quote.on_chain_position_key });
}

/** The quote as the contract takes it, with the bounds a careful user adds. */
function requestOf(quote: QuoteWire) {
  return {
    positionSeed: quote.position_seed_hex,
    venueMarketId: quote.venue_market_id,
    venueTokenId: BigInt(quote.venue_token_id),
    collateralUsdcUnits: BigInt(quote.collateral_usdc_units),
    leverageBps: quote.leverage_bps,
    notionalUsdcUnits: BigInt(quote.notional_usdc_units),
    originationFeeBps: quote.origination_fee_bps,
    lifetimeFeeAprBps: quote.lifetime_fee_apr_bps,
    liquidationFeeBps: quote.liquidation_fee_bps,
    signatureExpiry: BigInt(quote.signature_expiry),
    venueFeeUsdcUnits: BigInt(quote.expected_open_trading_fee_usdc_units),
    minPositionTokenUnits: BigInt(quote.min_expected_position_token_units),
    maxLiquidationPricePips: highestLiquidationPips(quote),
    minFillBps: quote.min_fill_bps ?? 10_000,
  };
}

/** Liquidation price at the fewest tokens the quote allows, rounded up, plus a pip. */
function highestLiquidationPips(quote: QuoteWire): number {
  const quoted = BigInt(quote.current_liquidation_price_usd_pips) + 1n;
  return Number((quoted * 10_000n) / (10_000n - BigInt(slippageBps)) + 2n);
}

/** What is followed until it has one of the statuses. */
interface Wanted {
  readonly statuses: readonly PositionWire['status'][];
  readonly withinMs: number;
}

/** A position was given back to its user before it was filled. */
export class PositionCancelled extends Error {
  override readonly name = 'PositionCancelled';
}

/** Polls the service until the position has one of the statuses. @throws Error when it does not get there in time. */
export async function waitForStatus(
  desk: Desk,
  position: FollowedPosition,
  statuses: Wanted['statuses'],
): Promise<PositionWire> {
  const reached = await statusWithin(desk, position, { statuses, withinMs: patienceMs });
  if (reached !== null) return reached;
  const { status } = (await desk.api.positionOfKey(position.token, position.key)) ?? { status: 'unknown' };
  throw new Error(`the position of ${position.wallet.name} is still ${status}, not ${statuses.join(' or ')}`);
}

type FollowedPosition = Pick<DemoPosition, 'token' | 'key' | 'wallet'>;

/** The position once it has one of the statuses; null when it did not get there in time. */
export async function statusWithin(
  { api, story }: Desk,
  { token, key, wallet }: FollowedPosition,
  { statuses, withinMs }: Wanted,
): Promise<PositionWire | null> {
  const startMs = Date.now();
  let seen: string | null = null;
  for (;;) {
    const position = await api.positionOfKey(token, key);
    if (position !== null && position.status !== seen) story.line(`position of ${wallet.name} is ${position.status}`);
    seen = position?.status ?? seen;
    if (position !== null && statuses.includes(position.status)) return position;
    if (position?.status === 'cancelled') {
      throw new PositionCancelled(`the position of ${wallet.name} was cancelled: ${failureOf(position)}`);
    }
    if (Date.now() - startMs > withinMs) return null;
    await delay(pollMs);
  }
}

function failureOf({ failure }: PositionWire): string {
  return failure?.reason ?? 'no reason given';
}

function printEntry(story: Story, position: PositionWire): void {
  const { entry } = position;
  story.figures({
    position: position.id,
    tokens: entry.position_token_units,
    'quoted at': `${entry.price_usd} USD`,
    'filled at': `${entry.effective_entry_price_usd ?? '-'} USD`,
    collateral: `${entry.collateral_usd} USD`,
    notional: `${entry.notional_usd} USD`,
  });
}
