import { createRequire } from 'node:module';
import type { Random } from './random.ts';

const require = createRequire(import.meta.url);

/** Replace the randomness of the process by one stream of the seed. */
export function installRandomness(random: Random): void {
  Math.random = () => random.next();
  const uuid = (): string => {
    const bytes = random.fillView(Buffer.alloc(16));
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const hex = bytes.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  };
  const crypto: Record<string, unknown> & { readonly webcrypto: object } = require('node:crypto');
  Object.assign(crypto, {
    randomBytes: (size: number, done?: (error: null, bytes: Buffer) => void) => {
      const bytes = random.fillView(Buffer.alloc(size));
      if (done === undefined) return bytes;
      process.nextTick(done, null, bytes);
      return undefined;
    },
    randomFillSync: (view: ArrayBufferView, offset?: number, size?: number) => random.fillView(view, offset, size),
    randomFill: (view: ArrayBufferView, done: (error: null, view: ArrayBufferView) => void) => {
      process.nextTick(done, null, random.fillView(view));
    },
    randomUUID: uuid,
    randomInt: (low: number, end?: number) => (end === undefined ? random.between(0, low) : random.between(low, end)),
  });
  const property = (value: unknown): PropertyDescriptor => ({ value, configurable: true });
  Object.defineProperty(
    crypto.webcrypto,
    'getRandomValues',
    property((view: ArrayBufferView) => random.fillView(view)),
  );
  Object.defineProperty(crypto.webcrypto, 'randomUUID', property(uuid));
}
