import type { LedgerRow } from '@core/sdk';
import { cents, dollarsHeld, dollarsOfUnits, times, tokens } from './money.ts';

const headTexts: Readonly<Record<LedgerRow['kind'], string>> = {
  opening: 'Bought',
  margin: 'Margin added',
  close: 'Sold',
  unwind: 'Sold to reduce the debt',
  liquidation: 'Liquidated',
  exit: 'Debt repaid, tokens withdrawn',
  settlement: 'Settled',
  refund: 'Refunded',
  claim: 'Claimed',
};

/** Return a movement of a position in words: tokens and price, and all that was paid. */
export function ledgerText(row: LedgerRow): string {
  const amounts = [
    { text: 'paid in', units: row.paid_in_usdc_units, textOf: dollarsOfUnits },
    { text: 'of the loan repaid', units: row.repaid_usdc_units, textOf: dollarsHeld },
    { text: 'fees', units: row.fee_usdc_units, textOf: dollarsOfUnits },
    { text: 'paid to the wallet', units: row.paid_out_usdc_units, textOf: dollarsHeld },
  ].flatMap(({ text, units, textOf }) => (units === '0' ? [] : [`${textOf(BigInt(units))} ${text}`]));
  const size = row.token_units === '0' ? '' : ` ${tokens(row.token_units)} tokens`;
  const price = row.price_usd_pips === null ? '' : ` at ${cents(row.price_usd_pips)}`;
  const after = row.leverage_bps === null || row.kind === 'opening' ? '' : ` ${remainderText(row)}`;
  const reason = row.reason_detail === null ? '' : ` ${row.reason_detail}`;
  return `${headTexts[row.kind]}${size}${price}: ${amounts.join(', ')}.${after}${reason}`;
}

const remainderText = ({ remaining_token_units: units, leverage_bps: bps }: LedgerRow): string =>
  `${tokens(units)} tokens left at ${times(bps)}.`;
