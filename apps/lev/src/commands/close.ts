import { formatCents, formatUsd, type PricePips, pricePips, raw, subtract, tokenUnits } from '@core/pricing';
import { FriendlyError } from '@core/runtime';
import {
  bidOf,
  type ChainAction,
  type LevUser,
  midOf,
  type OpenPosition,
  OutcomeUnknownError,
  type Position,
  saleOf,
} from '@core/sdk';
import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { asText, notMeasured, paid, received } from '../money.ts';
import { salesAfter } from '../salesAfter.ts';
import { stepsOf } from '../steps.ts';
import { usdcUnitsOfText } from '../usdc.ts';
import { durationSeconds } from '../words.ts';
import { positionOf } from './positions.ts';

/** Options of a sale as typed, with their values. */
interface SaleOptions {
  readonly minPriceUsd: string;
  readonly minPricePips: PricePips;
  readonly tokens: string | null;
  readonly waitSeconds: number;
}

function saleOptionsOf({ option }: Context): SaleOptions {
  const minPriceUsd = option('minPrice');
  if (minPriceUsd === null) throw new FriendlyError('--min-price: required, the lowest price to sell at, such as 0.40');
  const minPricePips = pricePips(usdcUnitsOfText('--min-price', minPriceUsd) / 100n);
  const waitSeconds = durationSeconds(option('wait') ?? '2m');
  return { minPriceUsd, minPricePips, tokens: option('tokens'), waitSeconds };
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

/** Return the answer of a sale that waits for its price; null where the bid reaches it. */
async function waitingAnswer(
  me: LevUser,
  position: Position,
  { minPriceUsd, minPricePips }: SaleOptions,
): Promise<Answer | null> {
  const market = await me.markets.get(position.market_ticker, { expand: ['prices'] });
  const bid = bidOf(market, position.effective_side) ?? null;
  if (bid !== null && raw(bid) >= raw(minPricePips)) return null;
  const bidUsd = bid === null ? null : formatUsd(bid);
  return {
    value: { step: 'waiting_for_price', bid_price_usd: bidUsd, min_price_usd: minPriceUsd },
    text:
      `Waiting for the price: minimum ${formatCents(minPricePips)}, bid ${bid === null ? 'none' : formatCents(bid)}. ` +
      'The sale executes when the bid reaches the minimum; run close with a lower --min-price to sell now.',
  };
}

/** Return the error of a sale that was requested and has no result yet, with the next step. */
function notDone(position: Position, { waitSeconds }: SaleOptions, cause: OutcomeUnknownError): OutcomeUnknownError {
  const sentence =
    `The sale is requested, and not done after ${waitSeconds} s. The request stays: do not send it again. ` +
    `\`lev positions ${position.id}\` shows the position; --wait waits longer.`;
  return new OutcomeUnknownError(cause.hash, sentence, { cause });
}

/**
 * Close a position or a part of it, one line per step, then the sales. Return once the sale waits for its price.
 *
 * @throws OutcomeUnknownError when the sale is requested and not done within `--wait`.
 */
export async function* close(context: Context, [name = '']: readonly string[]): AsyncGenerator<Answer> {
  const sale = saleOptionsOf(context);
  const account = context.account();
  const me = context.user(account);
  const position = await positionOf(me, name);
  const wallet = await context.wallet(account);
  const { tokens, minPriceUsd } = sale;
  const cost = position.status === 'open' ? await saleCostOf(me, position, tokens) : null;
  if (cost !== null) yield cost;
  const options = { wallet, minPriceUsd, waitMs: sale.waitSeconds * 1_000 };
  const action: ChainAction<Position> =
    tokens === null ? me.positions.close(position, options) : me.positions.closePart(position, { ...options, tokens });
  let isRequested = false;
  try {
    for await (const answer of stepsOf(action)) {
      const step: unknown = Reflect.get(Object(answer.value), 'step');
      if (step === 'done') yield salesAfter(position, await positionOf(me, position.id));
      yield answer;
      if (step !== 'wait') continue;
      isRequested = true;
      const waiting = await waitingAnswer(me, position, sale);
      if (waiting === null) continue;
      yield waiting;
      return;
    }
  } catch (error) {
    if (!isRequested || !(error instanceof OutcomeUnknownError)) throw error;
    const waiting = await waitingAnswer(me, position, sale);
    if (waiting === null) throw notDone(position, sale, error);
    yield waiting;
  }
}
