import { formatUsd, type PricePips, type RateBps, raw, toUsdPips, type UsdcUnits } from '@core/pricing';
import { FriendlyError } from '@core/runtime';
import { bidOf, type ChainAction, type Position, type QuoteOrder, type Requirement, ticketOf } from '@core/sdk';
import { type Answer, fieldsText } from '../answer.ts';
import type { Context } from '../context.ts';
import { countOf, sideOf } from '../words.ts';
import { positionOf, positionText } from './positions.ts';

function orderOf({ option, isSet }: Context, ticker: string): QuoteOrder {
  const slippageBps = countOf('--slippage', option('slippage'));
  return {
    ticker,
    side: sideOf('--side', option('side') ?? 'yes'),
    leverage: option('leverage') ?? '2',
    notionalUsd: option('notional') ?? '100',
    // Commander sets an option that can be negated to true where nothing is given.
    allowRevision: isSet('revision'),
    ...(slippageBps !== null && { slippageBps }),
  };
}

const paid = (units: UsdcUnits): string => `${formatUsd(toUsdPips(units, 'up'))} USD`;
const received = (units: UsdcUnits): string => `${formatUsd(toUsdPips(units, 'down'))} USD`;
const percentOf = (rate: RateBps): string => `${Number(raw(rate)) / 100} %`;
const priced = (price: PricePips | null): string => (price === null ? 'none below 1 USD' : `${formatUsd(price)} USD`);
const requirementText = ({ isMet, name, fix }: Requirement): string => (isMet ? `✔ ${name}` : `✖ ${name}: ${fix}`);
/** Quantities are whole numbers without a form in JSON. */
const asText = (value: object): object =>
  Object.fromEntries(Object.entries(value).map(([name, part]) => [name, part === null ? null : String(part)]));

/** A draft with what it costs and what is missing. */
export async function quote(context: Context, [ticker = '']: readonly string[]): Promise<Answer> {
  const account = context.account();
  const me = context.user(account);
  const order = orderOf(context, ticker);
  const draft = await me.quotes.draft(order);
  const [market, feeRates, requirements] = await Promise.all([
    me.markets.get(ticker, { expand: ['prices'] }),
    me.feeRates({ ticker }),
    me.preflight(draft, { account: account.address }),
  ]);
  const ticket = ticketOf(draft, { markPricePips: bidOf(market, order.side), feeRates });
  const text = fieldsText({
    draft: draft.id,
    notional: `${draft.notional_amount_usd} USD at ${draft.leverage_bps / 10_000}x`,
    entry: `${draft.entry_price_usd} USD`,
    'you pay': `${draft.total_user_amount_usd} USD, of which fees ${paid(ticket.openCostUsdcUnits)}`,
    'to hold costs': `${paid(ticket.holdCostPerHourUsdcUnits)} an hour, ${paid(ticket.holdCostPerDayUsdcUnits)} a day`,
    'open and close at once': `${paid(ticket.roundTripCostUsdcUnits)}, ${percentOf(ticket.roundTripCostBps)} of collateral`,
    'break-even at': priced(ticket.breakEvenPricePips),
    'liquidation at': `${priced(ticket.liquidationPricePips)}, ${priced(ticket.liquidationDistancePips)} below the bid`,
    'a win pays': `${received(ticket.winPaysUsdcUnits)}; without leverage ${received(ticket.winWithoutLeverageUsdcUnits)}`,
    'to open': requirements.map(requirementText).join(', '),
  });
  return { value: { draft, ticket: asText(ticket), requirements }, text };
}

/** Steps of an action as answers; the last one is the position. */
async function* stepsOf(action: ChainAction<Position>): AsyncGenerator<Answer> {
  for await (const step of action) {
    if (step.step === 'done') yield { value: step, text: positionText(step.result) };
    else if (step.step === 'send') yield { value: step, text: `sent ${step.hash}` };
    else yield { value: step, text: step.step === 'wait' ? 'waiting for the service' : `signing: ${step.step}` };
  }
}

/** Opens a position, a line a step. */
export async function* open(context: Context, [ticker = '']: readonly string[]): AsyncGenerator<Answer> {
  const account = context.account();
  const me = context.user(account);
  const draft = await me.quotes.draft(orderOf(context, ticker));
  yield { value: { step: 'draft', draft }, text: `draft ${draft.id}: ${draft.total_user_amount_usd} USD to pay` };
  const promoted = await me.quotes.promote(draft);
  yield { value: { step: 'quote', quote: promoted }, text: `quote ${promoted.id}, until ${promoted.expires_at}` };
  yield* stepsOf(me.positions.open(promoted, await context.wallet(account)));
}

/** Closes a position or a part of it, a line a step. */
export async function* close(context: Context, [name = '']: readonly string[]): AsyncGenerator<Answer> {
  const minPriceUsd = context.option('minPrice');
  if (minPriceUsd === null) throw new FriendlyError('--min-price: say the least price you accept, such as 0.40');
  const account = context.account();
  const me = context.user(account);
  const position = await positionOf(me, name);
  const wallet = await context.wallet(account);
  const tokens = context.option('tokens');
  yield* stepsOf(
    tokens === null
      ? me.positions.close(position, { wallet, minPriceUsd })
      : me.positions.closePart(position, { wallet, minPriceUsd, tokens }),
  );
}
