import { raw } from '@core/pricing';
import type { UserLimits } from '@core/vault';
import type { RpcRequest } from '../chain/rpc.ts';
import type { Transaction } from '../chain/wallet.ts';
import type { ContractInfo, DraftQuote, Market, Quote } from '../generated/resources.ts';

/** Something that must hold before a quote can be opened, with what there is and what to do. */
export interface Requirement {
  readonly name:
    | 'chain'
    | 'balance'
    | 'allowance'
    | 'expiry'
    | 'market'
    | 'vault'
    | 'minimum_tokens'
    | 'liquidation_price'
    | 'venue_fee';
  readonly isMet: boolean;
  /** The token that is needed and who takes it; null where the requirement is about something else. */
  readonly token: string | null;
  readonly spender: string | null;
  /** Units of the token, pips of a price, a chain ID, an instant, or `open`. */
  readonly need: string;
  readonly have: string;
  /** What to do, in a sentence; null when it is met. */
  readonly fix: string | null;
  /** What meets it, ready to be sent; null where no transaction does. */
  readonly transaction: Transaction | null;
}

/** What is asked before a quote or draft is opened. */
export interface PreflightQuestion {
  readonly quote: Quote | DraftQuote;
  readonly account: string;
  readonly contractInfo: ContractInfo;
  readonly market: Market;
  /** Bounds that are chosen in place of the quote's own. */
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

/** Every requirement, met or not, in the order in which they are best seen to. Needs viem. */
export async function preflightOf(question: PreflightQuestion): Promise<readonly Requirement[]> {
  const { quote, account, contractInfo, market, limits, request, nowMs } = question;
  const { allowanceOf, approval, balanceOf, isOpeningPaused } = await import('../chain/vaultCalls.ts');
  const { polygon_usdc_token_address: token, polygon_vault_contract_address: spender } = contractInfo;
  const need = BigInt(quote.total_user_amount_usdc_units);
  const [chainId, balance, allowance, isPaused] = await Promise.all([
    request('eth_chainId', []).then((id) => BigInt(String(id))),
    balanceOf(request, token, account),
    allowanceOf(request, { token, account, spender }),
    isOpeningPaused(request, spender),
  ]);
  const side = market.sided_eligibility[quote.effective_side];
  const isSigned = quote.contract_signature !== '';
  const money = { token, spender };
  return [
    requirementOf({
      name: 'chain',
      isMet: String(chainId) === contractInfo.evm_chain_id,
      need: contractInfo.evm_chain_id,
      have: String(chainId),
      fix: `Switch the wallet to the chain ${contractInfo.evm_chain_id}.`,
    }),
    requirementOf({
      name: 'market',
      isMet: side.accepting_new_positions,
      need: 'open',
      have: side.rejection_reason_code ?? 'open',
      fix: 'Choose a market whose side accepts new positions.',
    }),
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
      fix: 'Send USDC to the wallet, or lower the size.',
      money: { token, spender: null },
    }),
    requirementOf({
      name: 'allowance',
      isMet: allowance >= need,
      need: String(need),
      have: String(allowance),
      fix: 'Let the vault take the cost of the opening.',
      money,
      transaction: approval(token, spender, need),
    }),
    requirementOf({
      name: 'expiry',
      // A draft has no window: its promotion begins one.
      isMet: !isSigned || Date.parse(quote.expires_at) > nowMs,
      need: new Date(nowMs).toISOString(),
      have: isSigned ? quote.expires_at : 'not signed yet',
      fix: 'The quote has expired. Promote its draft again.',
    }),
    ...limitRequirements(quote, limits),
  ];
}

const pipsPerUsd = 10_000n;

/** One requirement for each bound that was chosen: what it has to be so that the opening is possible as quoted. */
function limitRequirements(quote: Quote | DraftQuote, limits: Partial<UserLimits>): readonly Requirement[] {
  const { minPositionTokenUnits, maxLiquidationPricePips, venueFeeUsdcUnits } = limits;
  const found: Requirement[] = [];
  if (minPositionTokenUnits !== undefined) {
    const have = raw(minPositionTokenUnits);
    const maximum = (BigInt(quote.notional_usdc_units) * pipsPerUsd) / BigInt(quote.entry_price_usd_pips);
    const fix = 'Ask for no more tokens than the entry price brings.';
    found.push(
      requirementOf({ name: 'minimum_tokens', isMet: have <= maximum, need: `${maximum}`, have: `${have}`, fix }),
    );
  }
  if (maxLiquidationPricePips !== undefined) {
    const have = raw(maxLiquidationPricePips);
    const need = quote.current_liquidation_price_usd_pips;
    const fix = 'Allow at least the liquidation price of the quote, or ask for less leverage.';
    found.push(requirementOf({ name: 'liquidation_price', isMet: have >= BigInt(need), need, have: `${have}`, fix }));
  }
  if (venueFeeUsdcUnits !== undefined) {
    const have = raw(venueFeeUsdcUnits);
    const need = quote.basis?.venue_fee_usdc_units ?? quote.expected_open_trading_fee_usdc_units;
    const fix = "Set aside at least the venue's fee.";
    found.push(requirementOf({ name: 'venue_fee', isMet: have >= BigInt(need), need, have: `${have}`, fix }));
  }
  return found;
}
