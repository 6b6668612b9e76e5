import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createId, eventIdOf, positionIdOf } from './ids.ts';

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);

test('ids sort by the time they were made and never repeat', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 40), fc.nat(1_000_000), (atMs, laterMs) => {
      const [first, second] = [createId('off', atMs), createId('off', atMs + laterMs + 1)];
      expect(first).toMatch(/^off_[0-9a-hjkmnp-tv-z]{26}$/);
      expect(first < second).toBe(true);
      expect(createId('off', atMs)).not.toBe(first);
    }),
  );
});

test('a position id is a function of the first 16 bytes of its key, and orders as they do', () => {
  fc.assert(
    fc.property(hash, hash, (left, right) => {
      expect(positionIdOf(left)).toBe(positionIdOf(left));
      expect(positionIdOf(left) < positionIdOf(right)).toBe(left.slice(0, 34) < right.slice(0, 34));
      expect(eventIdOf(left).slice(4)).toBe(positionIdOf(left).slice(4));
    }),
  );
});

test('an id writes its 128 bits in the digits of Crockford', () => {
  const digits = '0123456789abcdefghjkmnpqrstvwxyz';
  fc.assert(
    fc.property(hash, (key) => {
      const written = Array.from(positionIdOf(key).slice(4));
      expect(written).toHaveLength(26);
      const bits = written.reduce((sum, digit) => sum * 32n + BigInt(digits.indexOf(digit)), 0n);
      expect(bits).toBe(BigInt(key.slice(0, 34)));
    }),
  );
});
