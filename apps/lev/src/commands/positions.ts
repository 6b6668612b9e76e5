import { FriendlyError } from '@core/runtime';
import type { LevUser, Position } from '@core/sdk';
import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { listAnswer, listUpTo } from '../listed.ts';
import { priceText } from '../money.ts';
import { positionText } from '../positionText.ts';
import { usdcText } from '../usdc.ts';
import { countOf } from '../words.ts';

const defaultLimit = 25;

/** Find a position by its ID or key. @throws FriendlyError when the account has no position with the key. */
export async function positionOf(user: LevUser, name: string): Promise<Position> {
  if (!name.startsWith('0x')) return user.positions.get(name, { expand: ['unwinds', 'ledger'] });
  if (!/^0x[0-9a-f]{64}$/i.test(name)) {
    throw new FriendlyError(`expected the ID or the key of a position, got ${name}; lev positions --all lists them`);
  }
  const position = await user.positions.byKey(name, { expand: ['unwinds', 'ledger'] });
  if (position === null)
    throw new FriendlyError(
      `the account has no position with the key ${name}; lev positions --all lists its positions`,
    );
  return position;
}

/** List the positions of an account, or show one. */
export async function positions({ user, isSet, option }: Context, [name]: readonly string[]): Promise<Answer> {
  const me = user();
  if (name !== undefined) {
    const position = await positionOf(me, name);
    return { value: position, text: [positionText(position), ...historyLines(position)].join('\n') };
  }
  const limit = countOf('--limit', option('limit')) ?? defaultLimit;
  const list = me.positions.list({ limit: Math.min(limit + 1, 100), ...(!isSet('all') && { state: 'active' }) });
  return listAnswer(await listUpTo(list, limit), {
    heads: ['POSITION', 'MARKET', 'SIDE', 'STATUS', 'NOTIONAL', 'NET PNL'],
    rowOf: (position) => [
      position.id,
      position.market_ticker,
      position.effective_side,
      position.status,
      position.entry.notional_usd,
      'current' in position ? position.current.net_unrealized_pnl_usd : position.result.net_realized_pnl_usd,
    ],
    whenEmpty: isSet('all') ? 'This account has no position yet.' : 'No open position; --all includes closed ones.',
  });
}

/** Return a line for each movement of tokens or money: tokens, price, and all that was paid. */
function historyLines({ ledger }: Position): readonly string[] {
  return (ledger?.data ?? []).map((row) => {
    const amounts = [
      ['paid in', row.paid_in_usdc_units],
      ['repaid', row.repaid_usdc_units],
      ['fees', row.fee_usdc_units],
      ['paid to the wallet', row.paid_out_usdc_units],
    ].flatMap(([name, units = '0']) => (units === '0' ? [] : [`${name} ${usdcText(BigInt(units))}`]));
    const size = row.token_units === '0' ? [] : [`${usdcText(BigInt(row.token_units))} tokens`];
    const price = row.price_usd_pips === null ? [] : [`at ${priceText(row.price_usd_pips)}`];
    const reason = row.reason === null ? [] : [`(${row.reason})`];
    return [`${row.executed_at}  ${row.kind}`, ...size, ...price, amounts.join(', '), ...reason].join(' ');
  });
}
