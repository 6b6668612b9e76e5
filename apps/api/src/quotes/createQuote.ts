import { Fault, isRejection, type Rejection } from '@core/errors';
import type { PricedQuote, UsageSnapshot } from '@core/policy';
import { randomHex } from '@core/runtime';
import { positionSeedOf } from '@core/vault';
import type { QuoteWire } from '@core/wire';
import type { Call, PreparedAnswer, Preparer } from '../http/call.ts';
import type { MarketDirectory } from '../markets/marketDirectory.ts';
import {
  type IssueRequest,
  maxAttempts,
  type ReservationOf,
  type SignedQuote,
  type SignStored,
  type UsageObserver,
} from './issueQuote.ts';
import type { QuotePresenter } from './presentQuote.ts';
import { type QuoteDecider, type QuoteQuestion, quotedMarketOf, quoteRequestOf } from './quoteDecider.ts';

/** What a quote takes beside the call. */
interface QuoteSteps {
  readonly markets: Pick<MarketDirectory, 'byTicker' | 'find'>;
  readonly decider: QuoteDecider;
  readonly observeUsage: UsageObserver;
  readonly reservationOf: ReservationOf;
  readonly sign: SignStored;
  readonly present: QuotePresenter;
}

/**
 * POST /quotes: a signed quote whose room is reserved, or the first refusal of the documented gates. Everything but the
 * caps is decided from memory; the statement that reserves checks the caps and refuses what does not fit. Only then is
 * the usage behind them read, and the same gates name the code. The signature leaves only after the statement.
 */
export function createQuote(steps: QuoteSteps): Preparer<'createQuote'> {
  const { markets, decider } = steps;
  return ({ caller, body, query, nowMs }) => {
    const request = quoteRequestOf(body, caller.wallet);
    const live = quotedMarketOf(markets.byTicker(body.market_ticker));
    if (live !== null) return decideOn(steps, query, { caller, market: live, request, nowMs });
    // A market that is final, or none at all: which of the two is looked up when the request was admitted.
    const lookUp = async (): Promise<Rejection | PreparedAnswer<QuoteWire>> => {
      const market = quotedMarketOf(await markets.find(body.market_ticker));
      if (market === null) return decider.refuseUnknown({ caller, request, nowMs }, body.market_ticker);
      return decideOn(steps, query, { caller, market, request, nowMs });
    };
    return { kind: 'prepared', effect: null, decideAgain: lookUp };
  };
}

function decideOn(
  steps: QuoteSteps,
  query: Call<'createQuote'>['query'],
  question: QuoteQuestion,
): Rejection | PreparedAnswer<QuoteWire> {
  const { caller, market } = question;
  // Without usage every gate but the caps is passed through; the caps are the last ones.
  const priced = steps.decider.decide(question, null);
  if (isRejection(priced)) return priced;
  const positionSeed = positionSeedOf(`0x${randomHex(12)}`, 0);
  const presentIssued = (signed: SignedQuote): QuoteWire =>
    steps.present.quote(signed, { caller, market: market.record, expand: query.expand });
  return prepare(steps, { ...question, positionSeed, draftId: null }, { priced, presentIssued, attempt: 0 });
}

interface Decided {
  readonly priced: PricedQuote;
  readonly presentIssued: (signed: SignedQuote) => QuoteWire;
  readonly attempt: number;
}

function prepare(steps: QuoteSteps, issue: IssueRequest, decided: Decided): PreparedAnswer<QuoteWire> {
  const reservation = steps.reservationOf(issue, decided.priced);
  return {
    kind: 'prepared',
    effect: reservation && { reservation, body: decided.presentIssued(steps.sign(reservation)) },
    decideAgain: () => decideAgain(steps, issue, decided),
  };
}

/**
 * Between reading and reserving another caller may take the room that was seen. More attempts than this mean that the
 * database is in trouble.
 */
async function decideAgain(
  steps: QuoteSteps,
  issue: IssueRequest,
  decided: Decided,
): Promise<Rejection | PreparedAnswer<QuoteWire>> {
  const attempt = decided.attempt + 1;
  if (attempt === maxAttempts) {
    throw new Fault({ origin: 'store', kind: 'retryable', message: 'a reservation kept losing against others' });
  }
  const usage: UsageSnapshot = await steps.observeUsage(issue);
  const priced = steps.decider.decide(issue, usage);
  return isRejection(priced) ? priced : prepare(steps, issue, { ...decided, priced, attempt });
}
