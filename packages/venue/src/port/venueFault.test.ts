import { describe, expect, test } from 'vitest';
import { VenueFault, venueFault, venueMalformedFault, venueNetworkFault } from './venueFault.ts';
import { venueFaultRules } from './venueFaultTable.ts';

/** Texts as venues of this wire are known to send them → what a caller must do. */
const answers: readonly (readonly [status: number, text: string, code: string, kind: string, effect: string])[] = [
  [425, '', 'venue_restarting', 'retryable', 'no'],
  [425, '<html>Too Early</html>', 'venue_restarting', 'retryable', 'no'],
  [503, 'service not ready', 'venue_restarting', 'retryable', 'no'],
  [429, 'Too Many Requests', 'venue_throttled', 'retryable', 'no'],
  [403, 'error 1015: you are being rate limited', 'venue_throttled', 'retryable', 'no'],
  [503, 'Trading is currently disabled. Check polling for status.', 'venue_paused', 'retryable', 'no'],
  [503, 'trading is currently cancel-only', 'venue_paused', 'retryable', 'no'],
  [
    400,
    'order 0xabc is invalid. Duplicated. Same order has already been placed',
    'order_duplicated',
    'terminal',
    'yes',
  ],
  [400, "order couldn't be fully filled. FOK orders are fully filled or killed.", 'order_not_filled', 'terminal', 'no'],
  [400, 'no orders found to match with FAK order.', 'order_not_filled', 'terminal', 'no'],
  [200, 'FOK_ORDER_NOT_FILLED_ERROR', 'order_not_filled', 'terminal', 'no'],
  [400, 'order 0xabc is invalid. Size (4) lower than the minimum: 5', 'order_below_minimum_size', 'terminal', 'no'],
  [400, 'order 0xabc is invalid. Price breaks minimum tick size rule: 0.01', 'order_off_tick', 'terminal', 'no'],
  [400, 'not enough balance / allowance', 'balance_too_low', 'terminal', 'no'],
  [400, 'invalid expiration value', 'order_expired', 'terminal', 'no'],
  [400, 'invalid signature', 'order_signature_invalid', 'terminal', 'no'],
  [400, 'invalid fee rate (0), current market taker fee: 1000', 'order_fee_invalid', 'terminal', 'no'],
  [400, 'the market is not yet ready to process new orders', 'market_not_ready', 'retryable', 'no'],
  [400, 'market is closed', 'market_closed', 'terminal', 'no'],
  [400, 'the orderbook 123 does not exist', 'book_not_found', 'terminal', 'no'],
  [404, 'No orderbook exists for the requested token id', 'book_not_found', 'terminal', 'no'],
  [400, 'could not insert order', 'order_not_inserted', 'retryable', 'maybe'],
  [400, 'could not run the execution', 'order_not_inserted', 'retryable', 'maybe'],
  [400, "'0xabc' address in closed only mode", 'openings_refused', 'terminal', 'no'],
  [400, 'address banned', 'account_restricted', 'frozen', 'no'],
  [401, 'Unauthorized/Invalid api key', 'credentials_refused', 'frozen', 'no'],
  [400, 'the order owner has to be the owner of the api key', 'credentials_refused', 'frozen', 'no'],
  [400, 'order 0xabc is invalid. something new', 'order_invalid', 'terminal', 'no'],
  [401, '', 'credentials_refused', 'frozen', 'no'],
  [403, '', 'account_restricted', 'frozen', 'no'],
  [404, '', 'not_found', 'terminal', 'no'],
  [504, '', 'venue_timeout', 'retryable', 'maybe'],
  [500, '', 'venue_unavailable', 'retryable', 'maybe'],
  [502, '<html>Bad gateway</html>', 'venue_unavailable', 'retryable', 'maybe'],
  [599, '', 'venue_unavailable', 'retryable', 'maybe'],
  [400, 'limit must be positive', 'request_invalid', 'terminal', 'no'],
  [200, 'a sentence never seen before', 'venue_fault_unknown', 'frozen', 'maybe'],
  [400, 'order match delayed due to market conditions', 'order_delayed', 'retryable', 'maybe'],
  [500, 'there are no matching orders', 'order_not_filled', 'terminal', 'no'],
  [200, 'invalid post-only order: order crosses book', 'order_invalid', 'terminal', 'no'],
  [503, 'post-only mode: only post-only orders and cancels are allowed', 'venue_paused', 'retryable', 'no'],
  [
    400,
    'invalid amounts, the market buy orders maker amount supports a max accuracy of 2 decimals',
    'order_amounts_invalid',
    'terminal',
    'no',
  ],
  [400, 'order_version_mismatch', 'order_version_mismatch', 'terminal', 'no'],
  [400, 'maker address not allowed, please use the deposit wallet flow', 'maker_refused', 'frozen', 'no'],
  [400, 'the order signer address has to be the address of the API KEY', 'maker_refused', 'frozen', 'no'],
  [400, 'balance: 3, allowance is not enough', 'balance_too_low', 'terminal', 'no'],
  [400, 'Invalid L1 Request headers', 'credentials_refused', 'frozen', 'no'],
  [422, 'offset exceeds 2000: use /markets/keyset', 'list_refused', 'terminal', 'no'],
  [400, 'Invalid order payload', 'order_invalid', 'terminal', 'no'],
  [400, 'Too many orders in payload: 16, max allowed: 15', 'request_invalid', 'terminal', 'no'],
  [400, 'invalid nonce', 'request_invalid', 'terminal', 'no'],
  [400, 'invalid amount for a marketable BUY order ($0.5), min size: $1', 'order_below_minimum_size', 'terminal', 'no'],
  [403, 'Trading restricted in your region', 'account_restricted', 'frozen', 'no'],
  [418, 'teapot', 'venue_fault_unknown', 'frozen', 'maybe'],
];

test.each(answers)('%i %j is %s (%s, taken: %s)', (...[status, text, code, kind, effect]) => {
  const fault = venueFault({ status, text });
  expect({ code: fault.code, kind: fault.kind, effect: fault.effect }).toEqual({ code, kind, effect });
  expect(fault).toMatchObject({ origin: 'venue', status, retryable: kind === 'retryable' });
});

test('every rule of the table is the answer to some known text', () => {
  const used = new Set(
    answers.map(([status, text]) => {
      const lowerText = text.toLowerCase();
      return venueFaultRules.find(
        (rule) =>
          (rule.statuses === undefined || rule.statuses.includes(status)) &&
          (rule.texts === undefined || rule.texts.some((piece) => lowerText.includes(piece))),
      );
    }),
  );
  expect(venueFaultRules.filter((rule) => !used.has(rule))).toEqual([]);
});

test('texts of the table are written in lower case, or they would never match', () => {
  const texts = venueFaultRules.flatMap((rule) => rule.texts ?? []);
  expect(texts.filter((text) => text !== text.toLowerCase())).toEqual([]);
});

test('Retry-After is honoured', () => {
  expect(venueFault({ status: 429, text: '', retryAfterMs: 1_500 }).retryAfterMs).toBe(1_500);
});

describe('without an answer', () => {
  const failed = (code: string): Error =>
    Object.assign(new Error('fetch failed'), { cause: Object.assign(new Error('x'), { code }) });

  test.each([
    ['ECONNREFUSED', 'venue_unreachable', 'no'],
    ['ENOTFOUND', 'venue_unreachable', 'no'],
    ['ECONNRESET', 'venue_unreachable', 'maybe'],
    ['UND_ERR_SOCKET', 'venue_unreachable', 'maybe'],
    ['ETIMEDOUT', 'venue_timeout', 'maybe'],
  ])('%s is %s, taken: %s', (networkCode, code, effect) => {
    expect(venueNetworkFault(failed(networkCode))).toMatchObject({ code, effect, kind: 'retryable', status: null });
  });

  test('a timeout may have been taken', () => {
    const error = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    expect(venueNetworkFault(error)).toMatchObject({ code: 'venue_timeout', effect: 'maybe', cause: error });
  });

  test('an answer that cannot be read may have been taken', () => {
    const fault = venueMalformedFault('x'.repeat(5_000));
    expect(fault).toBeInstanceOf(VenueFault);
    expect(fault).toMatchObject({ code: 'venue_answer_malformed', kind: 'retryable', effect: 'maybe' });
    expect(fault.message.length).toBeLessThan(400);
  });
});
