import { type EndedSignature } from '@core/runtime';
import { SigningKey } from '@core/vault';
import { expect, test } from 'vitest';
import { observedSigner } from './observedSigner.ts';

test('an observed signer signs the same, and reports signatures and failures', async () => {
  const key = new SigningKey(`0x${'42'.repeat(32)}`);
  const ended: EndedSignature[] = [];
  const onEnd = (signature: EndedSignature): void => {
    ended.push(signature);
  };
  const message = new Uint8Array(3);
  expect(await observedSigner(key, onEnd).signMessage(message)).toBe(await key.signMessage(message));
  const failing = {
    address: key.address,
    implementation: 'none',
    signMessage: () => Promise.reject(new Error('away')),
  };
  await expect(observedSigner(failing, onEnd).signMessage(message)).rejects.toThrow('away');
  expect(ended.map(({ isSigned }) => isSigned)).toEqual([true, false]);
});
