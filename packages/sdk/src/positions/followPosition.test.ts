import { expect, test } from 'vitest';
import {
  offlineUser,
  openPosition,
  recordedContracts,
  recordedQuote,
  recordingWallet,
} from '../../testing/offlineService.ts';
import type { ChainAction, LevUser, OpenPosition, Position, Wallet } from '../index.ts';

const callBlock = 1_000;
/** State before and after the block of the call. */
const before = { ...openPosition, id: 'pos_before', current: { position_token_units: '500' } };
const closedPosition = { ...openPosition, id: 'pos_closed', status: 'closed', current: undefined };

type Act = (positions: LevUser['positions'], wallet: Wallet) => ChainAction<Position>;
const to = recordedQuote.authority_public_key;
const open: Act = (positions, wallet) => positions.open(recordedQuote, wallet);
const actions: readonly (readonly [string, Act])[] = [
  ['open', open],
  ['close', (positions, wallet) => positions.close(openPosition, { wallet, minPriceUsd: '0.5' })],
  ['closePart', (positions, wallet) => positions.closePart(openPosition, { wallet, tokens: '1', minPriceUsd: '0.5' })],
  ['withdrawClose', (positions, wallet) => positions.withdrawClose(openPosition, { wallet })],
  ['addMargin', (positions, wallet) => positions.addMargin(openPosition, { wallet, amountUsd: '1' })],
  ['cancel', (positions, wallet) => positions.cancel(openPosition, { wallet })],
  ['exit', (positions, wallet) => positions.exit(openPosition, { wallet, to })],
  ['claim', (positions, wallet) => positions.claim(openPosition, { wallet })],
];

/** Build a user whose service is `lag` reads behind the block of the call, and shows the state of its own block. */
function laggingUser(lag: number, after: object) {
  let readCount = 0;
  const wallet = recordingWallet({
    eth_getTransactionReceipt: () => ({ status: '0x1', blockNumber: `0x${callBlock.toString(16)}`, logs: [] }),
  });
  const fetch = async (url: unknown): Promise<Response> => {
    if (!String(url).includes('/positions')) return Response.json(recordedContracts);
    const isFollowing = wallet.sent.some(({ data }) => !data.startsWith('0x095ea7b3'));
    if (isFollowing) readCount += 1;
    const isBehind = !isFollowing || readCount <= lag;
    const data = [{ ...(isBehind ? before : after), on_chain_position_key: openPosition.on_chain_position_key }];
    const headers = { 'indexed-block': String(isBehind ? callBlock - 1 : callBlock) };
    return Response.json({ data, has_more: false }, { headers });
  };
  return { me: offlineUser({}, { surroundings: { fetch } }), wallet };
}

const cases = actions.flatMap(([name, act]) => [0, 1, 7].map((lag) => [name, lag, act] as const));

test.each(cases)('%s: the index is %d reads behind the receipt → the position of its block', async (name, lag, act) => {
  const after = name === 'open' || name === 'addMargin' ? { ...openPosition, id: 'pos_after' } : closedPosition;
  const { me, wallet } = laggingUser(lag, after);
  const steps = await Array.fromAsync(act(me.positions, wallet));
  expect(steps.at(-1)).toMatchObject({ step: 'done', result: { id: after.id }, block: callBlock });
});

test('an index that never reaches the block → outcome_unknown with the hash', async () => {
  const { me, wallet } = laggingUser(Number.POSITIVE_INFINITY, closedPosition);
  const action = me.positions.claim(openPosition, { wallet });
  await expect(action).rejects.toMatchObject({ code: 'outcome_unknown', hash: `0x${'1'.padStart(64, '0')}` });
});

/** Close the position for which a service is `lag` reads behind, and wait for a time. */
const closeBehind = (lag: number, waitMs: number): ChainAction<Position> => {
  const { me, wallet } = laggingUser(lag, closedPosition);
  return me.positions.close(openPosition, { wallet, minPriceUsd: '0.5', waitMs });
};

test('a wait of ten seconds: outcome_unknown after ten seconds, and a reading at their end', async () => {
  await expect(closeBehind(11, 10_000)).rejects.toThrow('has not shown its result for 10 s.');
  expect(await closeBehind(10, 10_000)).toMatchObject({ id: closedPosition.id });
});

test.each([0, -1, Number.NaN])('a wait of %d milliseconds: one reading', async (waitMs) => {
  await expect(closeBehind(1, waitMs)).rejects.toMatchObject({ code: 'outcome_unknown' });
  expect(await closeBehind(0, waitMs)).toMatchObject({ id: closedPosition.id });
});

test('a service that does not send its block → the position as shown, block null', async () => {
  const steps = await Array.fromAsync(offlineUser().positions.claim(openPosition, { wallet: recordingWallet() }));
  expect(steps.at(-1)).toEqual({ step: 'done', result: openPosition, block: null });
});

/** The position with a sale that was attempted at a time. */
const attempted = (deferred_at: string): Position => ({
  ...(openPosition as OpenPosition),
  close_attempt: { outcome: 'deferred', reason: 'awaiting_settlement', deferred_at },
});

test('close: an attempt of an earlier request does not end it, its own does', async () => {
  const [earlier, own] = [attempted('2026-11-20T00:00:00.000Z'), attempted('2026-11-20T00:01:00.000Z')];
  const wallet = recordingWallet();
  let readCount = 0;
  const fetch = async (url: unknown): Promise<Response> => {
    if (!String(url).includes('/positions')) return Response.json(recordedContracts);
    if (wallet.sent.length > 0) readCount += 1;
    return Response.json({ data: [readCount > 3 ? own : earlier], has_more: false });
  };
  const me = offlineUser({}, { surroundings: { fetch } });
  expect(await me.positions.close(earlier, { wallet, minPriceUsd: '0.5' })).toEqual(own);
  expect(readCount).toBe(4);
});
