import type { Hex } from 'viem';

/** Values by character code; 255 where the code is no hexadecimal digit. */
const nibbleOf = /* @__PURE__ */ (() => {
  const table = new Uint8Array(256).fill(255);
  for (let digit = 0; digit < 16; digit += 1) {
    const lower = digit.toString(16);
    table[lower.charCodeAt(0)] = digit;
    table[lower.toUpperCase().charCodeAt(0)] = digit;
  }
  return table;
})();

const byteText = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Fixed-size buffer that packs values tightly, most significant byte first, like Solidity's `abi.encodePacked`.
 *
 * Generic encoders build a string per value and join them: packing a quote with them costs more than the native
 * signature. Every value is checked against its width; a value that does not fit is a bug of the caller and throws
 * `RangeError`.
 */
export class PackedBytes {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(byteLength: number) {
    this.bytes = new Uint8Array(byteLength);
    this.#view = new DataView(this.bytes.buffer);
  }

  /** Append ASCII text, one byte per character, without length prefix. */
  text(ascii: string): this {
    for (let i = 0; i < ascii.length; i += 1) this.bytes[this.#offset + i] = ascii.charCodeAt(i);
    this.#offset += ascii.length;
    return this;
  }

  /** Append exactly `byteLength` bytes from `0x…`. */
  hex(value: Hex, byteLength: number): this {
    if (value.length !== 2 + 2 * byteLength || !value.startsWith('0x')) {
      throw new RangeError(`expected ${byteLength} bytes in hexadecimal, got ${value.length - 2} digits`);
    }
    for (let i = 0; i < byteLength; i += 1) {
      const high = nibbleOf[value.charCodeAt(2 + 2 * i)] ?? 255;
      const low = nibbleOf[value.charCodeAt(3 + 2 * i)] ?? 255;
      if ((high | low) > 15) throw new RangeError('expected hexadecimal digits');
      this.bytes[this.#offset + i] = (high << 4) | low;
    }
    this.#offset += byteLength;
    return this;
  }

  /** Append zero bytes, such as those before an address in a word of 32. */
  zeros(byteLength: number): this {
    this.#offset += byteLength;
    return this;
  }

  uint16(value: bigint): this {
    if (value < 0n || value > 0xffffn) throw new RangeError('value does not fit uint16');
    this.#view.setUint16(this.#offset, Number(value));
    this.#offset += 2;
    return this;
  }

  uint32(value: bigint): this {
    if (value < 0n || value > 0xffffffffn) throw new RangeError('value does not fit uint32');
    this.#view.setUint32(this.#offset, Number(value));
    this.#offset += 4;
    return this;
  }

  uint256(value: bigint): this {
    if (value < 0n || value >> 256n !== 0n) throw new RangeError('value does not fit uint256');
    // Money, times and chain ids fit the last eight bytes; the rest of the word is zero already.
    this.#view.setBigUint64(this.#offset + 24, value & 0xffffffffffffffffn);
    if (value > 0xffffffffffffffffn) {
      this.#view.setBigUint64(this.#offset + 16, (value >> 64n) & 0xffffffffffffffffn);
      this.#view.setBigUint64(this.#offset + 8, (value >> 128n) & 0xffffffffffffffffn);
      this.#view.setBigUint64(this.#offset, value >> 192n);
    }
    this.#offset += 32;
    return this;
  }

  /** Return the packed bytes; throws `RangeError` when fewer were written than the buffer's size. */
  finish(): Uint8Array {
    if (this.#offset !== this.bytes.length) throw new RangeError('packed value is incomplete');
    return this.bytes;
  }
}

/** Format bytes as lower-case `0x…`. */
export function hexOf(bytes: Uint8Array): Hex {
  let text: Hex = '0x';
  for (const byte of bytes) text += byteText[byte] ?? '';
  return text;
}
