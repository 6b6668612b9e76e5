import { SignatureType } from '@core/vault';
import { parseExactJson } from '@core/venue';
import { type RequestHandler, type Response, type Router, text } from 'express';
import { orderBodySchema, saltSchema } from '../orders/orderWire.ts';
import type { OrderRecord } from '../orders/records.ts';
import { formatSize } from '../units/decimals.ts';
import type { SimVenue } from '../venue/simVenue.ts';
import { keyOwnerOf } from './credentialRoutes.ts';

export interface OrderRoutes {
  readonly venue: SimVenue;
  readonly router: Router;
  /** Authenticator of requests, for a venue that requires credentials. */
  readonly guard: RequestHandler;
}

/** Maximum orders in one batch. */
const maximumBatch = 15;

/** Response to one order. */
interface OrderAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Rejections returned with status 200. */
const politeRefusals = ['order crosses book', 'not yet ready'];

/** Reject an order; some rejections have status 200. */
function refusalOf(errorMsg: string, orderID = ''): OrderAnswer {
  const isPolite = politeRefusals.some((piece) => errorMsg.includes(piece));
  const body = { success: false, errorMsg, orderID, status: '', makingAmount: '', takingAmount: '' };
  return isPolite ? { status: 200, body } : { status: 400, body: { error: errorMsg, ...body } };
}

/** Return true for a salt written as a number, which orders of contract wallets require. */
function isSaltNumber(written: unknown): boolean {
  return typeof saltSchema.safeParse(written).data?.order.salt === 'number';
}

/** Order with its exact numbers, and the same body parsed with JSON numbers. */
interface SentOrder {
  readonly exact: unknown;
  readonly plain: unknown;
}

async function answerTo(venue: SimVenue, { exact, plain }: SentOrder, response: Response): Promise<OrderAnswer> {
  const parsed = orderBodySchema.safeParse(exact);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { status: 400, body: { error: `invalid order: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}` } };
  }
  const { order, orderType, owner, postOnly } = parsed.data;
  if (order.signatureType === SignatureType.Erc1271 && !isSaltNumber(plain)) {
    return { status: 400, body: { error: 'Invalid order payload' } };
  }
  const { expiration = 0, ...signed } = order;
  const keyOwner = keyOwnerOf(response);
  if (keyOwner !== null && keyOwner.apiKey !== owner) {
    return { status: 400, body: { error: 'the order owner has to be the owner of the API key' } };
  }
  if (venue.outages.isClosedOnlyAt(venue.nowMs) && signed.side === 0) {
    return refusalOf('address in closed only mode');
  }
  const answer = await venue.orders.submit({
    order: signed,
    kind: orderType,
    owner,
    expirationSeconds: expiration,
    isPostOnly: postOnly === true,
    keyOwner: keyOwner?.address ?? null,
  });
  if (answer.kind === 'refused') return refusalOf(answer.text, answer.orderId ?? '');
  return { status: 200, body: acceptedBody(venue, answer.record, answer.status) };
}

function acceptedBody(venue: SimVenue, record: OrderRecord, status: string): OrderAnswer['body'] {
  const [making, taking] =
    record.side === 'BUY'
      ? [record.matchedUsdcUnits, record.matchedTokenUnits]
      : [record.matchedTokenUnits, record.matchedUsdcUnits];
  return {
    success: true,
    errorMsg: '',
    orderID: record.id,
    status,
    makingAmount: making === 0n ? '' : formatSize(making),
    takingAmount: taking === 0n ? '' : formatSize(taking),
    tradeIDs: venue.orders.ledger.tradesOfOrder(record.id).map((trade) => trade.id),
  };
}

const postOnlyText = 'post-only mode: only post-only orders and cancels are allowed';

/** Return true for the body of a post-only order. */
const isPostOnlyBody = (sent: unknown): boolean => orderBodySchema.safeParse(sent).data?.postOnly === true;

/** Reject orders that are not post-only in the minutes after a restart. @returns true when one was rejected. */
function refusePostOnlyMode(venue: SimVenue, sent: unknown, response: Response): boolean {
  const seconds = venue.outages.postOnlySecondsAt(venue.nowMs);
  if (seconds === 0 || isPostOnlyBody(sent)) return false;
  response
    .status(503)
    .set('Retry-After', String(seconds))
    .json({ error: postOnlyText, code: 'post_only_mode', retry_after_seconds: seconds });
  return true;
}

/** Return the response to one order of a batch. In post-only mode it is a success with an error text. */
async function batchAnswerTo(venue: SimVenue, sent: SentOrder, response: Response): Promise<OrderAnswer['body']> {
  const isRefusedByMode = venue.outages.postOnlySecondsAt(venue.nowMs) > 0 && !isPostOnlyBody(sent.exact);
  const { body } = isRefusedByMode ? refusalOf(postOnlyText) : await answerTo(venue, sent, response);
  const { error, ...rest } = body;
  return { status: '', makingAmount: '', takingAmount: '', orderID: '', errorMsg: error, ...rest, success: true };
}

async function submitBatch(venue: SimVenue, body: string, response: Response): Promise<void> {
  const exact: unknown = parseExactJson(body);
  const plain: unknown = JSON.parse(body);
  if (!Array.isArray(exact) || !Array.isArray(plain) || exact.length === 0) {
    response.status(400).json({ error: 'Invalid order payload' });
    return;
  }
  if (exact.length > maximumBatch) {
    response.status(400).json({ error: `Too many orders in payload: ${exact.length}, max allowed: ${maximumBatch}` });
    return;
  }
  const answers: OrderAnswer['body'][] = [];
  for (const [index, order] of exact.entries()) {
    answers.push(await batchAnswerTo(venue, { exact: order, plain: plain[index] }, response));
  }
  response.json(answers);
}

async function submitOne(venue: SimVenue, body: string, response: Response): Promise<void> {
  const exact: unknown = parseExactJson(body);
  if (refusePostOnlyMode(venue, exact, response)) return;
  const { status, body: answer } = await answerTo(venue, { exact, plain: JSON.parse(body) }, response);
  response.status(status).json(answer);
}

/** Routes that place one order or a batch. */
export function orderRoutes({ venue, router, guard }: OrderRoutes): void {
  const body = text({ type: () => true, limit: '256kb' });
  const post = (path: string, submit: typeof submitOne): void => {
    router.post(path, body, guard, async (request, response) => {
      try {
        await submit(venue, String(request.body), response);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        response.status(400).json({ error: 'invalid order: body is no JSON' });
      }
    });
  };
  post('/order', submitOne);
  post('/orders', submitBatch);
}
