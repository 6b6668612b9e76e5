import { InputError } from '../errors/inputError.ts';
import type { Position } from '../generated/resources.ts';

/** Position, or its `on_chain_position_key`. */
export type PositionRef = Position | string;

/**
 * Return the key of a position.
 *
 * @throws InputError for anything but a position or a key of 32 bytes.
 */
export function keyOf(position: PositionRef): string {
  const key: unknown = typeof position === 'string' ? position : Object(position).on_chain_position_key;
  if (typeof key === 'string' && /^0x[0-9a-f]{64}$/i.test(key)) return key.toLowerCase();
  throw new InputError('position', position, 'Give a position, or its `on_chain_position_key`.');
}
