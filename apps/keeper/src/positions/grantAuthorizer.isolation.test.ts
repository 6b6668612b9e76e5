import type { GrantBatchRequest, GrantRequest } from '@core/attestation';
import type { OrderAction } from '@core/position';
import { sampleNowMs, samplePosition } from '@core/position/testing';
import { createLogger } from '@core/runtime';
import type { Lease } from '@core/store';
import { expect, test } from 'vitest';
import { sampleDomain } from '../../testing/quorumSamples.ts';
import { signerFault } from '../signers/signerAnswers.ts';
import { GrantAuthorizer } from './grantAuthorizer.ts';
import type { ObservedPosition } from './observePosition.ts';

const lease = { name: 'positions', fenceToken: 1n } as object as Lease;
const unsent = () => Promise.reject(new Error('nothing is granted'));

function currentOf(index: number): ObservedPosition {
  const record = samplePosition(index);
  const current = { record, observation: { nowMs: sampleNowMs }, chain: { blockTimeMs: sampleNowMs } };
  return current as object as ObservedPosition;
}

function liquidationOf({ record: { tokenUnits } }: ObservedPosition): OrderAction {
  const bounds = { tokenUnits, heldTokenUnits: tokenUnits };
  const action = { kind: 'order', purpose: 'liquidate', tokenUnits, attempt: 1, retryAtMs: sampleNowMs, bounds };
  return action as object as OrderAction;
}

test('a batch that fails delays none of its sales: each goes alone now and the next time, and one fails alone', async () => {
  const positions = [1, 2, 3, 4].map(currentOf);
  const [, poison] = positions.map(({ record }) => record.positionKey);
  const requests: string[][] = [];
  const authorizer = new GrantAuthorizer({
    askAlone({ positionKey }: GrantRequest) {
      requests.push([positionKey]);
      if (positionKey === poison) return Promise.reject(signerFault('no signer decides this one'));
      return Promise.resolve({ kind: 'refused', code: 'not_due' });
    },
    askTogether({ members }: GrantBatchRequest) {
      requests.push(members.map(({ positionKey }) => positionKey));
      return Promise.reject(signerFault('no signer decides this batch'));
    },
    sender: { send: unsent },
    batches: { send: unsent },
    domain: sampleDomain,
    logger: createLogger({ name: 'keeper', level: 'silent' }),
  });
  const authorizeAll = async () => {
    const results = await Promise.allSettled(
      positions.map((current) => authorizer.authorize(current, liquidationOf(current), lease)),
    );
    return results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'));
  };
  const [first = '', ...others] = positions.map(({ record }) => record.positionKey);
  const wait = { kind: 'wait', reason: 'not_due', untilMs: sampleNowMs };
  const ends = [wait, 'failed', wait, wait];
  const alone = [first, ...others].map((positionKey) => [positionKey]);
  expect(await authorizeAll()).toEqual(ends);
  expect(requests.splice(0)).toEqual([[first], others, ...others.map((positionKey) => [positionKey])]);
  expect(await authorizeAll()).toEqual(ends);
  expect(new Set(requests.splice(0))).toEqual(new Set(alone));
  await authorizeAll();
  expect(requests).toContainEqual(others);
});
