import { keccak256, slice, toHex } from 'viem';
import { expect, test } from 'vitest';
import { accountAddressOf } from './accountAddressOf.ts';

test('the creation code is a minimal proxy followed by the key', () => {
  const vault = `0x${'aa'.repeat(20)}` as const;
  const accountImplementation = `0x${'bb'.repeat(20)}` as const;
  const positionKey = keccak256(toHex('position'));
  const creationCode = `0x61004d3d81600a3d39f3363d3d373d3d3d363d73${'bb'.repeat(
    20,
  )}5af43d82803e903d91602b57fd5bf3${positionKey.slice(2)}` as const;
  const packed = `0xff${vault.slice(2)}${positionKey.slice(2)}${keccak256(creationCode).slice(2)}` as const;
  expect(accountAddressOf({ vault, accountImplementation, positionKey }).toLowerCase()).toBe(
    slice(keccak256(packed), 12),
  );
});
