import { expect, test } from 'vitest';
import { openPosition, recordedQuote } from '../../testing/offlineService.ts';
import { type HandOver, hashAt, unreliable } from '../../testing/unreliableWallet.ts';
import { OutcomeUnknownError, sendCall, type Wallet } from '../index.ts';

const usual: HandOver = { isSent: true };
const errorOf = (message: string, code: unknown, more: object = {}): Error =>
  Object.assign(new Error(message), { code, ...more });

const failWith = (error: unknown) => (): never => {
  throw error;
};

/** Open the recorded quote: the first hand-over is the allowance, the second the opening. */
function opening(...script: readonly HandOver[]) {
  const chain = unreliable(script, []);
  return { ...chain, action: chain.user.positions.open(recordedQuote, chain.wallet) };
}

/** Claim, which is one transaction without an effect that can be read. */
function claiming(handOver: HandOver) {
  const chain = unreliable([handOver], [openPosition]);
  return { ...chain, action: chain.user.positions.claim(openPosition, { wallet: chain.wallet }) };
}

const uncertain: Readonly<Record<string, unknown>> = {
  disconnected: errorOf('The provider is disconnected from all chains.', 4_900),
  'disconnected from the chain': errorOf('The provider is disconnected from the chain.', 4_901),
  'a limit of its node': errorOf('Request exceeds defined limit', -32_005),
  'a fault of its node': errorOf('Internal JSON-RPC error.', -32_603),
  'an expired request': errorOf('Request expired. Please try again.', 8_000),
  'an unknown code': errorOf('Oops', 12_345),
  'a gateway': errorOf('HTTP request failed. Status: 502', undefined),
  'already known': errorOf('already known', -32_000),
  'a replacement with a low fee': errorOf('replacement transaction underpriced', -32_000),
  'a busy resource': errorOf('Resource unavailable', -32_002),
  'no answer': new TypeError('fetch failed'),
  'a text': 'Something went wrong',
  nothing: undefined,
};

test.each(Object.keys(uncertain))('sent, then answered with %s → the position, sent once', async (name) => {
  const failed = { isSent: true, answer: failWith(uncertain[name]) };
  for (const script of [[failed], [usual, failed], [failed, { ...failed, delayReads: 20 }]]) {
    const { action, handedOver } = opening(...script);
    const steps = await Array.fromAsync(action);
    expect(steps.map(({ step }) => step)).toEqual(['approve', 'send', 'sign', 'send', 'wait', 'done']);
    expect(steps.flatMap((step) => (step.step === 'send' ? [step.hash] : []))).toEqual([hashAt(0), hashAt(1)]);
    expect((await action).id).toBe(openPosition.id);
    expect(handedOver).toHaveLength(2);
  }
});

test.each(Object.keys(uncertain))('not sent, answered with %s → unknown, to be looked up', async (name) => {
  const { action, handedOver } = opening(usual, { isSent: false, answer: failWith(uncertain[name]) });
  const failure: unknown = await action.then(null, (cause: unknown) => cause);
  expect(failure).toBeInstanceOf(OutcomeUnknownError);
  expect(failure).toMatchObject({ hash: '', retryable: false, cause: uncertain[name] });
  expect(String(failure)).toMatch(
    /unknown if the transaction was sent: .*\. Look at the account before sending again\./,
  );
  expect(handedOver).toHaveLength(2);
});

const refusals: readonly (readonly [string, unknown, string])[] = [
  ['4001', errorOf('User rejected the request.', 4_001), 'refused_by_user'],
  ['4001 as text', errorOf('rejected', '4001'), 'refused_by_user'],
  ['4001 in its data', errorOf('Internal error', -32_603, { data: { code: 4_001 } }), 'refused_by_user'],
  [
    '4001 in the error of a library',
    errorOf('x', 'UNKNOWN_ERROR', { info: { error: { code: 4_001 } } }),
    'refused_by_user',
  ],
  ['5000', errorOf('Rejected.', 5_000), 'refused_by_user'],
  ['a refusal under the code of nodes', errorOf('User cancelled the request', -32_000), 'refused_by_user'],
  ['the text of a refusal', 'User rejected the transaction', 'refused_by_user'],
  ['a plain object', { message: 'User denied transaction signature' }, 'refused_by_user'],
  ['4100', errorOf('Unauthorized', 4_100), 'refused_by_node'],
  ['4200', errorOf('Unsupported', 4_200), 'refused_by_node'],
  ['-32602', errorOf('Invalid params', -32_602), 'refused_by_node'],
  ['a pending request', errorOf('Request of type eth_sendTransaction already pending', -32_002), 'refused_by_node'],
  ['a used nonce', errorOf('nonce too low', -32_000), 'refused_by_node'],
  ['too little gas', errorOf('intrinsic gas too low', -32_000), 'refused_by_node'],
  ['a revert', errorOf('Error', -32_603, { data: { message: 'execution reverted' } }), 'refused_by_node'],
  ['no coin', errorOf('Error', -32_603, { data: { message: 'insufficient funds for gas' } }), 'insufficient_gas'],
];

test.each(refusals)('refused with %s → nothing was sent, at once', async (_name, error, reason) => {
  const { action, handedOver } = claiming({ isSent: false, answer: failWith(error) });
  await expect(action).rejects.toMatchObject({ code: 'transaction_not_sent', reason });
  expect(handedOver).toHaveLength(1);
});

test.each(['nonce too low', 'insufficient funds for gas', 'execution reverted', 'intrinsic gas too low'])(
  'sent, and the repeated request of a transport refused with %s → the action succeeds',
  async (message) => {
    const { action, handedOver } = claiming({ isSent: true, answer: failWith(errorOf(message, -32_000)) });
    expect((await action).id).toBe(openPosition.id);
    expect(handedOver).toHaveLength(1);
  },
);

/** Return a wallet whose node hides the nonce of an account. */
function withoutNonces(wallet: Wallet): Wallet {
  const refuse = failWith(errorOf('limit', -32_005));
  return {
    ...wallet,
    request: (call) => (call.method === 'eth_getTransactionCount' ? refuse() : wallet.request(call)),
  };
}

test('sent, answered with an error, and no nonce can be read → found by its effect', async () => {
  const failed = { isSent: true, answer: failWith(uncertain['disconnected']) };
  const { wallet, user, handedOver } = unreliable([failed, failed], []);
  const action = user.positions.open(recordedQuote, withoutNonces(wallet));
  expect((await action).id).toBe(openPosition.id);
  expect(handedOver).toHaveLength(2);
  expect((await action.resume('')).id).toBe(openPosition.id);
});

test('a low nonce, and no nonce to compare → unknown', async () => {
  const answer = failWith(errorOf('nonce too low', -32_000));
  const { wallet, user } = unreliable([{ isSent: true, answer }], [openPosition]);
  const action = user.positions.claim(openPosition, { wallet: withoutNonces(wallet) });
  await expect(action).rejects.toMatchObject({ code: 'outcome_unknown', hash: '' });
});

test('sent, answered with an error, and reverted → transaction_reverted with the hash', async () => {
  const { action } = claiming({ isSent: true, status: '0x0', answer: failWith(uncertain['disconnected']) });
  await expect(action).rejects.toMatchObject({ code: 'transaction_reverted', hash: hashAt(0) });
});

test('a wallet that answers with the number of a proposal, and sends later → the call is found', async () => {
  const { action, handedOver } = claiming({ isSent: true, answer: () => `0x${'ab'.repeat(32)}`, delayReads: 9 });
  expect((await action).id).toBe(openPosition.id);
  expect(handedOver).toHaveLength(1);
});

test('sent, and refused at the repetition by a node that names the nonce, while another node lags → sent once', async () => {
  const answer = failWith(errorOf('nonce too low: next nonce 2, tx nonce 1', -32_000));
  const { wallet, user, calls, handedOver } = unreliable([usual, { isSent: true, answer }], [openPosition]);
  const lagging: Wallet = {
    ...wallet,
    request: (call) => {
      const isLate = call.method === 'eth_getTransactionCount' && JSON.stringify(call.params).includes('pending');
      return isLate && calls.length === 2 ? Promise.resolve(1) : wallet.request(call);
    },
  };
  await user.positions.addMargin(openPosition, { wallet: lagging, amountUsd: '2.5' });
  expect(handedOver).toHaveLength(2);
});

test('calls whose effect no state shows, resumed without a hash → unknown', async () => {
  const { user, wallet } = unreliable([], [openPosition]);
  const actions = [
    user.positions.addMargin(openPosition, { wallet, amountUsd: '2.5' }),
    user.positions.claim(openPosition, { wallet }),
    sendCall(wallet, { to: '0x12', data: '0x34', chainId: 31_337 }),
  ];
  for (const action of actions) {
    await expect(action.resume('')).rejects.toMatchObject({ code: 'outcome_unknown', hash: '' });
  }
});
