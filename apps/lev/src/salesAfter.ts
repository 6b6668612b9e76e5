import { formatCents, priceOf, raw, tokenUnits, usdcUnits } from '@core/pricing';
import type { LedgerRow } from '@core/sdk';
import { type Answer, fieldsText } from './answer.ts';
import { asText, paid, received } from './money.ts';
import { usdcText } from './usdc.ts';

/** Movements that sell tokens. */
const saleKinds: ReadonlySet<LedgerRow['kind']> = new Set(['close', 'unwind', 'liquidation']);

/** Position with its ledger. */
interface WithLedger {
  readonly ledger?: { readonly data: readonly LedgerRow[] };
}

const rowsOf = ({ ledger }: WithLedger): readonly LedgerRow[] => ledger?.data ?? [];
const identityOf = ({ transaction_hash: hash, kind, remaining_token_units: remaining }: LedgerRow): string =>
  `${hash} ${kind} ${remaining}`;

/**
 * Return the sales that a position has and an earlier reading of it has not, as one: tokens, average price before fees
 * rounded down, and all that was paid. Both readings have their ledger.
 */
export function salesAfter(earlier: WithLedger, position: WithLedger): Answer {
  const earlierRows = new Set(rowsOf(earlier).map(identityOf));
  const sales = rowsOf(position).filter((row) => saleKinds.has(row.kind) && !earlierRows.has(identityOf(row)));
  const sumOf = (amountOf: (row: LedgerRow) => string): bigint =>
    sales.reduce((sum, row) => sum + BigInt(amountOf(row)), 0n);
  const tokens = tokenUnits(sumOf((row) => row.token_units));
  if (raw(tokens) === 0n) return { value: { step: 'sold', token_units: '0' }, text: 'No tokens were sold.' };
  const price = priceOf(usdcUnits(sumOf((row) => row.trade_usdc_units)), tokens, 'down');
  const repaid = usdcUnits(sumOf((row) => row.repaid_usdc_units));
  const fees = usdcUnits(sumOf((row) => row.fee_usdc_units));
  const paidOut = usdcUnits(sumOf((row) => row.paid_out_usdc_units));
  const amounts = {
    token_units: tokens,
    price_usd_pips: price,
    repaid_usdc_units: repaid,
    fee_usdc_units: fees,
    paid_out_usdc_units: paidOut,
  };
  const text = fieldsText({
    sold: `${usdcText(raw(tokens))} tokens at ${formatCents(price)}`,
    repaid: received(repaid),
    fees: paid(fees),
    'to the wallet': received(paidOut),
  });
  return { value: { step: 'sold', ...asText(amounts) }, text };
}
