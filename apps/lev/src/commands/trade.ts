import {
  formatUsd,
  type PricePips,
  type RateBps,
  raw,
  subtract,
  tokenUnits,
  toUsdPips,
  type UsdcUnits,
} from '@core/pricing';
import { FriendlyError } from '@core/runtime';
import {
  bidOf,
  type ChainAction,
  type DraftQuote,
  type LevUser,
  midOf,
  type OpenPosition,
  type Position,
  type QuoteOrder,
  type Requirement,
  saleOf,
  type Ticket,
  ticketOf,
} from '@core/sdk';
import { type Answer, fieldsText } from '../answer.ts';
import type { Context } from '../context.ts';
import { usdcUnitsOfText } from '../usdc.ts';
import { countOf, sideOf } from '../words.ts';
import { positionOf, positionText } from './positions.ts';

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

const paid = (units: UsdcUnits): string => `${formatUsd(toUsdPips(units, 'up'))} USD`;
const received = (units: UsdcUnits): string => `${formatUsd(toUsdPips(units, 'down'))} USD`;
/** Text of a cost without enough fills in the last day. */
const notMeasured = 'not measured';
const percentOf = (rate: RateBps): string => `${Number(raw(rate)) / 100} %`;
const priced = (price: PricePips | null): string => (price === null ? 'none below 1 USD' : `${formatUsd(price)} USD`);
const requirementText = ({ isMet, name, fix }: Requirement): string => (isMet ? `✔ ${name}` : `✖ ${name}: ${fix}`);
/** Return quantities as text: JSON has no bigint. */
const asText = (value: object): object =>
  Object.fromEntries(Object.entries(value).map(([name, part]) => [name, part === null ? null : String(part)]));

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
    entry: `${draft.entry_price_usd} USD`,
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

const isWaitStep = ({ value }: Answer): boolean => Reflect.get(Object(value), 'step') === 'wait';

const waitingText = (minPriceUsd: string, bid: PricePips | null): string =>
  `Waiting for the price: minimum ${minPriceUsd} USD, bid ${bid === null ? 'none' : `${formatUsd(bid)} USD`}. ` +
  'The sale executes when the bid reaches the minimum; run close with a lower --min-price to sell now.';

/** Yield the steps of an action as answers; the last is the position. */
async function* stepsOf(action: ChainAction<Position>): AsyncGenerator<Answer> {
  for await (const step of action) {
    if (step.step === 'done') yield { value: step, text: positionText(step.result) };
    else if (step.step === 'send') yield { value: step, text: `sent ${step.hash || 'under an unknown hash'}` };
    else yield { value: step, text: step.step === 'wait' ? 'waiting for the service' : `signing: ${step.step}` };
  }
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

/** Return what a sale costs below its value at the mid now; null without a bid or an ask. */
async function saleCostOf(me: LevUser, position: OpenPosition, tokens: string | null): Promise<Answer | null> {
  const { market_ticker: ticker, effective_side: side } = position;
  const [market, feeRates] = await Promise.all([
    me.markets.get(ticker, { expand: ['prices'] }),
    me.feeRates({ ticker }),
  ]);
  const bid = bidOf(market, side);
  if (bid === undefined) return null;
  const units = tokens === null ? BigInt(position.current.position_token_units) : usdcUnitsOfText('--tokens', tokens);
  const terms = { bidPricePips: bid, midPricePips: midOf(market, side), feeRates };
  const { valueUsdcUnits: value, proceedsUsdcUnits, measuredProceedsUsdcUnits } = saleOf(tokenUnits(units), terms);
  if (value === null) return null;
  const atBid = subtract(value, proceedsUsdcUnits);
  const about = measuredProceedsUsdcUnits === null ? null : subtract(value, measuredProceedsUsdcUnits);
  const cost = { value_usdc_units: value, measured_cost_usdc_units: about, cost_at_bid_usdc_units: atBid };
  const measured = about === null ? notMeasured : `about ${paid(about)}`;
  const text = `cost of the sale: ${measured}, at the bid ${paid(atBid)}, of ${received(value)} at the mid`;
  return { value: { step: 'cost', ...asText(cost) }, text };
}

/** Close a position or a part of it, one line per step. Return once the sale waits for its price. */
export async function* close(context: Context, [name = '']: readonly string[]): AsyncGenerator<Answer> {
  const minPriceUsd = context.option('minPrice');
  if (minPriceUsd === null) throw new FriendlyError('--min-price: required, the lowest price to sell at, such as 0.40');
  const minPricePips = usdcUnitsOfText('--min-price', minPriceUsd) / 100n;
  const account = context.account();
  const me = context.user(account);
  const position = await positionOf(me, name);
  const wallet = await context.wallet(account);
  const tokens = context.option('tokens');
  const cost = position.status === 'open' ? await saleCostOf(me, position, tokens) : null;
  if (cost !== null) yield cost;
  const action =
    tokens === null
      ? me.positions.close(position, { wallet, minPriceUsd })
      : me.positions.closePart(position, { wallet, minPriceUsd, tokens });
  for await (const answer of stepsOf(action)) {
    yield answer;
    if (!isWaitStep(answer)) continue;
    const market = await me.markets.get(position.market_ticker, { expand: ['prices'] });
    const bid = bidOf(market, position.effective_side) ?? null;
    if (bid !== null && raw(bid) >= minPricePips) continue;
    yield {
      value: {
        step: 'waiting_for_price',
        bid_price_usd: bid === null ? null : formatUsd(bid),
        min_price_usd: minPriceUsd,
      },
      text: waitingText(minPriceUsd, bid),
    };
    return;
  }
}
