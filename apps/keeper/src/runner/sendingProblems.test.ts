import { coinNeedsOf } from '@core/runtime';
import { expect, test } from 'vitest';
import { type SendingProblem, type SendingState, sendingProblemsOf } from './sendingProblems.ts';

const needs = coinNeedsOf(1_000_000_000n);
const rich = { ...needs, balanceWei: needs.reserveWei };
const well: SendingState = { nonceAgeMs: 0, refusal: null, coin: rich, hasRole: true, isAboveCeiling: false };
const limits = { maxNonceAgeMs: 30_000 };
const refusal = 'insufficient funds for gas * price + value';

test.each<[string, Partial<SendingState>, readonly SendingProblem[]]>([
  ['nothing waits and the account has enough', {}, []],
  ['the account was not read yet', { coin: null }, []],
  ['gas costs more than the operator pays', { isAboveCeiling: true }, ['gas_above_ceiling']],
  ['the account is no keeper any more', { hasRole: false }, ['role_lost']],
  ['the account is below its reserve', { coin: { ...needs, balanceWei: needs.minimumWei } }, []],
  ['the account is below its minimum', { coin: { ...needs, balanceWei: needs.minimumWei - 1n } }, ['balance_too_low']],
  ['the node refused a moment ago', { refusal, nonceAgeMs: 5_000 }, []],
  ['the node refuses for some seconds', { refusal, nonceAgeMs: 5_001 }, ['sends_refused']],
  ['a transaction waits that no node refused', { nonceAgeMs: 30_000 }, []],
  ['no block comes', { nonceAgeMs: 30_001 }, ['nonce_stuck']],
  [
    'the account is empty',
    { refusal, nonceAgeMs: 30_001, coin: { ...needs, balanceWei: 0n } },
    ['balance_too_low', 'sends_refused', 'nonce_stuck'],
  ],
])('problems: %s', (_name, changes, problems) => {
  expect(sendingProblemsOf({ ...well, ...changes }, limits)).toEqual(problems);
});
