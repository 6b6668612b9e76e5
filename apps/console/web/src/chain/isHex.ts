import type { Hex } from './wallet.ts';

/** Return true for bytes as hex with `0x`. */
export const isHex = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value);
