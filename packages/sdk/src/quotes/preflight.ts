import { formatUsd, raw, toUsdPips, usdcUnits } from '@core/pricing';
import type { UserLimits } from '@core/vault';
import { formatEther } from 'viem';
import { quantityOf, type RpcRequest } from '../chain/rpc.ts';
import type { Transaction } from '../chain/wallet.ts';
import { chainIdOf } from '../chain/walletChain.ts';
import type { ContractInfo, DraftQuote, Market, Quote } from '../generated/resources.ts';
import { isDraft } from './isDraft.ts';

/** Requirement of an opening, with the actual value and the remedy. */
export interface Requirement {
  readonly name:
    | 'chain'
    | 'wallet'
    | 'quote'
    | 'gas'
    | 'balance'
    | 'allowance'
    | 'expiry'
    | 'market'
    | 'vault'
    | 'minimum_tokens'
    | 'liquidation_price'
    | 'venue_fee';
  readonly isMet: boolean;
  /** Required token and its recipient; null when the requirement is about something else. */
  readonly token: string | null;
  readonly spender: string | null;
  /**
   * Required value: units of the token, wei, pips of a price, a chain ID, an address, an instant, or a word such as
   * `open`.
   */
  readonly need: string;
  readonly have: string;
  /** Remedy, in a sentence; null when the requirement is met. */
  readonly fix: string | null;
  /** Transaction that meets the requirement; null where none does. */
  readonly transaction: Transaction | null;
}

/** Facts and sources of the requirements of an opening. */
export interface PreflightQuestion {
  readonly quote: Quote | DraftQuote;
  readonly account: string;
  readonly contractInfo: ContractInfo;
  readonly market: Market;
  /** Bounds that replace the quote's own. */
  readonly limits: Partial<UserLimits>;
  readonly request: RpcRequest;
  readonly nowMs: number;
}

type Finding = Pick<Requirement, 'name' | 'isMet' | 'need' | 'have'> & {
  readonly fix: string;
  readonly money?: Pick<Requirement, 'token' | 'spender'>;
  readonly transaction?: Transaction;
};

const requirementOf = ({ fix, money, transaction, ...finding }: Finding): Requirement => ({
  ...finding,
  token: money?.token ?? null,
  spender: money?.spender ?? null,
  fix: finding.isMet ? null : fix,
  transaction: finding.isMet ? null : (transaction ?? null),
});

/** Gas of an allowance and an opening together, with a margin of a third; unused gas is not paid. */
const openingGas = 300_000n;

/**
 * Return every requirement, met or not, in the order in which to meet them. On another chain than the vault's, the
 * requirements that need the chain are excluded. Needs viem.
 */
export async function preflightOf(question: PreflightQuestion): Promise<readonly Requirement[]> {
  const { quote, contractInfo, limits, request } = question;
  const chainId = String(await chainIdOf(request));
  const isOnChain = chainId === contractInfo.evm_chain_id;
  return [
    requirementOf({
      name: 'chain',
      isMet: isOnChain,
      need: contractInfo.evm_chain_id,
      have: chainId,
      fix: `The wallet is on chain ${chainId}. Switch it to chain ${contractInfo.evm_chain_id}.`,
    }),
    ...quoteRequirements(question),
    ...(isOnChain ? await chainRequirements(question) : []),
    ...limitRequirements(quote, limits),
  ];
}

/** Check the requirements of the quote, its market and the clock. */
function quoteRequirements({ quote, account, market, nowMs }: PreflightQuestion): readonly Requirement[] {
  const side = market.sided_eligibility[quote.effective_side];
  const isSigned = !isDraft(quote);
  return [
    requirementOf({
      name: 'wallet',
      isMet: quote.authority_public_key.toLowerCase() === account.toLowerCase(),
      need: quote.authority_public_key,
      have: account,
      fix: `This quote is for ${quote.authority_public_key}. Ask for one with the token of ${account}.`,
    }),
    requirementOf({
      name: 'quote',
      // A draft can be checked, too; its promotion opens a position.
      isMet: !isSigned || /^0x[0-9a-f]{130}$/i.test(quote.contract_signature),
      need: 'a draft or a signed quote',
      have: isSigned ? 'a quote' : 'a draft',
      fix: 'Give the answer of `quotes.draft` or `quotes.promote`.',
    }),
    requirementOf({
      name: 'market',
      isMet: side.accepting_new_positions,
      need: 'open',
      have: side.rejection_reason_code ?? 'open',
      fix: `This side accepts no new positions: ${side.rejection_reason_code}. Choose another market or side.`,
    }),
    requirementOf({
      name: 'expiry',
      // A draft has no validity window: it starts with its promotion.
      isMet: !isSigned || Date.parse(quote.expires_at) > nowMs,
      need: new Date(nowMs).toISOString(),
      have: isSigned ? quote.expires_at : 'not signed yet',
      fix: 'The quote has expired. Promote its draft again.',
    }),
  ];
}

/** Check the requirements on the vault's chain. */
async function chainRequirements(question: PreflightQuestion): Promise<readonly Requirement[]> {
  const { quote, account, contractInfo, request } = question;
  const { allowanceOf, approval, balanceOf, isOpeningPaused } = await import('../chain/vaultCalls.ts');
  const { polygon_usdc_token_address: token, polygon_vault_contract_address: spender } = contractInfo;
  const need = BigInt(quote.total_user_amount_usdc_units);
  const [balance, allowance, isPaused, gasPrice, coin] = await Promise.all([
    balanceOf(request, token, account),
    allowanceOf(request, { token, account, spender }),
    isOpeningPaused(request, spender),
    request('eth_gasPrice', []).then((answer) => quantityOf(answer, 'eth_gasPrice')),
    request('eth_getBalance', [account, 'latest']).then((answer) => quantityOf(answer, 'eth_getBalance')),
  ]);
  const money = { token, spender };
  const gasCost = gasPrice * openingGas;
  const cost = quote.total_user_amount_usd;
  const usdc = formatUsd(toUsdPips(usdcUnits(balance), 'down'));
  return [
    requirementOf({
      name: 'vault',
      isMet: !isPaused,
      need: 'open',
      have: isPaused ? 'paused' : 'open',
      fix: 'The vault takes no new positions now. Try again later.',
    }),
    requirementOf({
      name: 'balance',
      isMet: balance >= need,
      need: String(need),
      have: String(balance),
      fix: `The opening costs ${cost} USDC, the wallet has ${usdc}. Send it more, or lower the size.`,
      money: { token, spender: null },
    }),
    requirementOf({
      name: 'gas',
      isMet: coin >= gasCost,
      need: String(gasCost),
      have: String(coin),
      fix: `Gas may cost ${formatEther(gasCost)} of the native coin, the wallet has ${formatEther(coin)}. Send it more.`,
    }),
    requirementOf({
      name: 'allowance',
      isMet: allowance >= need,
      need: String(need),
      have: String(allowance),
      fix: `Approve ${cost} USDC for the opening.`,
      money,
      transaction: approval(token, spender, need),
    }),
  ];
}

const pipsPerUsd = 10_000n;

/** Check each chosen bound against the value that makes the quoted opening possible. */
function limitRequirements(quote: Quote | DraftQuote, limits: Partial<UserLimits>): readonly Requirement[] {
  const { minPositionTokenUnits, maxLiquidationPricePips, venueFeeUsdcUnits } = limits;
  const requirements: Requirement[] = [];
  if (minPositionTokenUnits !== undefined) {
    const have = raw(minPositionTokenUnits);
    const maximum = (BigInt(quote.notional_usdc_units) * pipsPerUsd) / BigInt(quote.entry_price_usd_pips);
    const fix = 'Ask for no more tokens than the entry price brings.';
    requirements.push(
      requirementOf({ name: 'minimum_tokens', isMet: have <= maximum, need: `${maximum}`, have: `${have}`, fix }),
    );
  }
  if (maxLiquidationPricePips !== undefined) {
    const have = raw(maxLiquidationPricePips);
    const need = quote.current_liquidation_price_usd_pips;
    const fix = 'Allow at least the liquidation price of the quote, or ask for less leverage.';
    requirements.push(
      requirementOf({ name: 'liquidation_price', isMet: have >= BigInt(need), need, have: `${have}`, fix }),
    );
  }
  if (venueFeeUsdcUnits !== undefined) {
    const have = raw(venueFeeUsdcUnits);
    const need = quote.basis?.venue_fee_usdc_units ?? quote.expected_open_trading_fee_usdc_units;
    const fix = "Set aside at least the venue's fee.";
    requirements.push(requirementOf({ name: 'venue_fee', isMet: have >= BigInt(need), need, have: `${have}`, fix }));
  }
  return requirements;
}
