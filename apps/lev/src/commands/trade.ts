import { formatCents, type PricePips, type RateBps, raw } from '@core/pricing';
import { bidOf, type DraftQuote, midOf, type QuoteOrder, type Requirement, type Ticket, ticketOf } from '@core/sdk';
import { type Answer, fieldsText } from '../answer.ts';
import type { Context } from '../context.ts';
import { asText, notMeasured, paid, priceText, received } from '../money.ts';
import { stepsOf } from '../steps.ts';
import { usdcUnitsOfText } from '../usdc.ts';
import { countOf, sideOf } from '../words.ts';

/** Order with its amounts as typed by the user. */
type TypedOrder = QuoteOrder & Readonly<Record<'leverage' | 'notionalUsd', string>>;

function orderOf({ option, isSet }: Context, ticker: string): TypedOrder {
  const slippageBps = countOf('--slippage', option('slippage'));
  return {
    ticker,
    side: sideOf('--side', option('side') ?? 'yes'),
    leverage: option('leverage') ?? '2',
    notionalUsd: option('notional') ?? '100',
    // Commander sets a negatable option to true when it is absent.
    allowRevision: isSet('revision'),
    ...(slippageBps !== null && { slippageBps }),
  };
}

const percentOf = (rate: RateBps): string => `${Number(raw(rate)) / 100} %`;
const priced = (price: PricePips | null): string => (price === null ? 'none below 1 USD' : formatCents(price));
const requirementText = ({ isMet, name, fix }: Requirement): string => (isMet ? `✔ ${name}` : `✖ ${name}: ${fix}`);
function roundTripText(ticket: Ticket): string {
  const { measuredRoundTripCostUsdcUnits: about, measuredRoundTripCostBps: aboutBps } = ticket;
  const { worstRoundTripCostUsdcUnits: worst } = ticket;
  const measured = about === null || aboutBps === null ? notMeasured : `about ${paid(about)} (${percentOf(aboutBps)})`;
  return `${measured}, at worst ${paid(worst)} (${percentOf(ticket.worstRoundTripCostBps)} of collateral)`;
}

/** Draft a quote and show its costs and the requirements to open it. */
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
  const prices = { markPricePips: bidOf(market, order.side), midPricePips: midOf(market, order.side) };
  const ticket = ticketOf(draft, { ...prices, feeRates });
  const text = fieldsText({
    lowered: revisionText(order, draft),
    draft: draft.id,
    outcome: market[`${order.side}_sub_title`],
    notional: `${draft.notional_amount_usd} USD at ${draft.leverage_bps / 10_000}x`,
    entry: priceText(draft.entry_price_usd_pips),
    'total cost': `${draft.total_user_amount_usd} USD, including ${paid(ticket.openCostUsdcUnits)} of fees`,
    'holding cost': `${paid(ticket.holdCostPerHourUsdcUnits)} an hour, ${paid(ticket.holdCostPerDayUsdcUnits)} a day`,
    'round trip': roundTripText(ticket),
    'break-even price': priced(ticket.breakEvenPricePips),
    'liquidation price': `${priced(ticket.liquidationPricePips)}, ${priced(ticket.liquidationDistancePips)} below the bid`,
    'payout if it wins': `${received(ticket.winPaysUsdcUnits)}; without leverage ${received(ticket.winWithoutLeverageUsdcUnits)}`,
    requirements: requirements.map(requirementText).join(', '),
  });
  return { value: { draft, ticket: asText(ticket), requirements }, text };
}

/** Return the size and leverage that the service lowered, before and after; null for an unchanged order. */
function revisionText(order: TypedOrder, draft: DraftQuote): string | null {
  // USDC units have six decimals, basis points and pips four: dividing by 100 converts both.
  const leverageBps = Number(usdcUnitsOfText('--leverage', order.leverage) / 100n);
  const notionalPips = usdcUnitsOfText('--notional', order.notionalUsd) / 100n;
  const changes = [
    ...(draft.leverage_bps < leverageBps
      ? [`leverage from ${leverageBps / 10_000}x to ${draft.leverage_bps / 10_000}x`]
      : []),
    ...(BigInt(draft.notional_amount_usd_pips) < notionalPips
      ? [`notional from ${order.notionalUsd} to ${draft.notional_amount_usd} USD`]
      : []),
  ];
  return changes.length === 0 ? null : `Lowered ${changes.join(' and ')}: the maximum of this market now.`;
}

/** Ask the user at a terminal to accept a lowered order. Scripts accept it unless `--no-revision` is set. */
async function isRevisionAccepted({ host, isSet }: Context, draft: DraftQuote): Promise<boolean> {
  if (!host.isTerminal || isSet('yes')) return true;
  const size = `${draft.notional_amount_usd} USD at ${draft.leverage_bps / 10_000}x`;
  return /^y(es)?$/i.test((await host.ask(`Open ${size} instead? [y/N] `)).trim());
}

/** Open a position, one line per step. */
export async function* open(context: Context, [ticker = '']: readonly string[]): AsyncGenerator<Answer> {
  const account = context.account();
  const me = context.user(account);
  const order = orderOf(context, ticker);
  const draft = await me.quotes.draft(order);
  const revision = revisionText(order, draft);
  const cost = `draft ${draft.id}: ${draft.total_user_amount_usd} USD to pay`;
  yield { value: { step: 'draft', draft }, text: revision === null ? cost : `${revision}\n${cost}` };
  if (revision !== null && !(await isRevisionAccepted(context, draft))) {
    yield { value: { step: 'declined', draft }, text: 'No position was opened.' };
    return;
  }
  const promoted = await me.quotes.promote(draft);
  yield { value: { step: 'quote', quote: promoted }, text: `quote ${promoted.id}, valid until ${promoted.expires_at}` };
  yield* stepsOf(me.positions.open(promoted, await context.wallet(account)));
}
