import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openPosition, recordedQuote } from '../../testing/offlineService.ts';
import { unreliable } from '../../testing/unreliableWallet.ts';
import type { LevUser, Wallet } from '../index.ts';
import { OutcomeUnknownError, sendCall, TransactionNotSentError } from '../index.ts';

type Start = (user: LevUser, wallet: Wallet) => PromiseLike<unknown>;

/** Actions of the client; the opening alone begins without a position. */
const actions: Readonly<Record<string, Start>> = {
  open: ({ positions }, wallet) => positions.open(recordedQuote, wallet),
  addMargin: ({ positions }, wallet) => positions.addMargin(openPosition, { wallet, amountUsd: '2.5' }),
  cancel: ({ positions }, wallet) => positions.cancel(openPosition, { wallet }),
  claim: ({ positions }, wallet) => positions.claim(openPosition, { wallet }),
  close: ({ positions }, wallet) => positions.close(openPosition, { wallet, minPriceUsd: '0.25' }),
  closePart: ({ positions }, wallet) =>
    positions.closePart(openPosition, { wallet, tokens: '30', minPriceUsd: '0.25' }),
  withdrawClose: ({ positions }, wallet) => positions.withdrawClose(openPosition, { wallet }),
  exit: ({ positions }, wallet) => positions.exit(openPosition, { wallet, to: recordedQuote.authority_public_key }),
  sendCall: (_user, wallet) => sendCall(wallet, { to: '0x12', data: '0x34', chainId: 31_337 }, instantWaits()),
};

/** Build a clock that is advanced by waits alone. */
function instantWaits() {
  let nowMs = 0;
  const sleep = async (milliseconds: number): Promise<void> => {
    nowMs += milliseconds;
  };
  return { monotonicMs: () => nowMs, sleep };
}

/** Errors that may follow the sending. */
const code = fc.oneof(
  fc.constantFrom(4_900, 4_901, 8_000, -32_005, -32_603, -32_000, -32_003, -32_002, '4900', 'UNKNOWN_ERROR'),
  fc
    .integer()
    .filter((number) => ![4_001, 4_100, 4_200, -32_602].includes(number) && (number < 5_000 || number > 5_003)),
);
const message = fc.oneof(
  fc.constantFrom(
    'Internal JSON-RPC error.',
    'nonce too low',
    'insufficient funds',
    'execution reverted',
    'already known',
  ),
  fc.string(),
);
const record = fc.record({ code, message }, { requiredKeys: [] });
const nested = fc.record({ code, message, data: record, cause: record, error: record }, { requiredKeys: [] });
const later = fc.oneof(
  record,
  nested,
  nested.map((fields) => Object.assign(new Error('failed'), fields)),
  fc.anything({ withNullPrototype: true }),
);
/** Errors that precede the sending. */
const before = fc.constantFrom<unknown>(
  ...[4_001, '4001', 4_100, 4_200, 5_000, 5_003, -32_602].map((number) => ({ code: number, message: '' })),
  'User rejected the transaction',
  { message: 'User denied transaction signature' },
);
const handOver = fc.oneof(
  fc.record({ error: later, isSent: fc.boolean(), delayReads: fc.nat(20) }),
  fc.record({ error: before, isSent: fc.constant(false), delayReads: fc.constant(0) }),
);

test('any error of a wallet → never denied what was sent, never sent twice', async () => {
  const cases = fc.record({ name: fc.constantFrom(...Object.keys(actions)), failedIndex: fc.nat(1), handOver });
  const law = fc.asyncProperty(cases, async ({ name, failedIndex, handOver: { error, ...way } }) => {
    const answer = (): never => {
      throw error;
    };
    const script = failedIndex === 0 ? [{ ...way, answer }] : [{ isSent: true }, { ...way, answer }];
    const { user, wallet, calls, handedOver } = unreliable(script, name === 'open' ? [] : [openPosition]);
    const failure: unknown = await actions[name]?.(user, wallet).then(
      () => null,
      (cause: unknown) => cause,
    );
    const isDone = way.isSent || handedOver.length <= failedIndex;
    // A refused nonce may be of a node that lacks the allowance: that transaction is handed over again.
    const isHonest =
      failure === null || failure instanceof TransactionNotSentError || failure instanceof OutcomeUnknownError;
    expect({ failure: isDone ? failure : null, isHonest }).toEqual({ failure: null, isHonest: true });
    expect(Object(failure)).not.toMatchObject({ retryable: true });
    expect(new Set(calls.map(({ data }) => data)).size).toBe(calls.length);
  });
  await fc.assert(law, { numRuns: 300 });
});
