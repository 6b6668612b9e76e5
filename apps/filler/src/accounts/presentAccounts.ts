import { formatEther, formatUnits } from 'viem';
import type { ProfitAndLoss } from './profitAndLoss.ts';

const usdcDecimals = 6;
const labelWidth = 22;

/** Return the accounts as lines of text, exact to the unit of 0.000001 USD. */
export function presentAccounts(accounts: ProfitAndLoss): readonly string[] {
  const usd = (units: bigint): string => `${formatUnits(units, usdcDecimals)} USD`;
  const row = (label: string, text: string): string => `${label.padEnd(labelWidth)}${text}`;
  return [
    row('through block', accounts.throughBlock.toString()),
    row('opening balance', usd(accounts.openingUsdcUnits)),
    row('transfers', usd(accounts.transferUsdcUnits)),
    row(`fills (${accounts.fillCount})`, usd(accounts.fillUsdcUnits)),
    row('venue', usd(accounts.venueUsdcUnits)),
    row('pairs', usd(accounts.pairUsdcUnits)),
    row('balance', usd(accounts.balanceUsdcUnits)),
    row('profit', `${usd(accounts.profitUsdcUnits)}, tokens held count as nothing`),
    row('gas', `${formatEther(accounts.gasWei)} of the chain's currency`),
    ...accounts.markets.map(({ conditionId, usdcUnits, held }) => {
      const tokens = held.map(({ tokenUnits }) => formatUnits(tokenUnits, usdcDecimals)).join(' and ');
      return row(`market ${conditionId.slice(0, 12)}`, `${usd(usdcUnits)}${tokens === '' ? '' : `, holds ${tokens}`}`);
    }),
  ];
}
