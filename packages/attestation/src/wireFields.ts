import type { Hex } from 'viem';

/** Digits of the largest number of 256 bits. */
const maxUintDigits = 78;

/** Error for a body that violates the protocol; the message names the field. */
export class AttestationFormatError extends Error {
  override readonly name = 'AttestationFormatError';
}

/**
 * Return the fields of a JSON object with exactly these names.
 *
 * @throws AttestationFormatError for anything else.
 */
export function readFields<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Readonly<Record<Name, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw failure('body', 'an object');
  const unknownName = Object.keys(value).find((name) => !names.some((known) => known === name));
  if (unknownName !== undefined) throw failure(unknownName, 'absent');
  if (!hasFields(value, names)) {
    throw failure(names.find((name) => !Object.hasOwn(value, name)) ?? 'body', 'present');
  }
  return value;
}

function hasFields<Name extends string>(
  value: object,
  names: readonly Name[],
): value is Readonly<Record<Name, unknown>> {
  return names.every((name) => Object.hasOwn(value, name));
}

/**
 * Return a field of `byteLength` bytes in lower-case hexadecimal.
 *
 * @throws AttestationFormatError for anything else.
 */
export function readHex(name: string, value: unknown, byteLength: number): Hex {
  if (typeof value !== 'string' || value.length !== 2 + 2 * byteLength || !/^0x[0-9a-fA-F]*$/.test(value)) {
    throw failure(name, `${byteLength} bytes in hexadecimal`);
  }
  return `0x${value.slice(2).toLowerCase()}`;
}

/**
 * Return a whole number from decimal text without sign and leading zeros.
 *
 * @throws AttestationFormatError for anything else.
 */
export function readDecimalText(name: string, value: unknown, maxDigits: number): bigint {
  if (typeof value !== 'string' || !/^(?:0|[1-9][0-9]*)$/.test(value) || value.length > maxDigits) {
    throw failure(name, `a whole number of at most ${maxDigits} digits as text`);
  }
  return BigInt(value);
}

/**
 * Return a whole number from decimal text that fits an unsigned integer of this many bits.
 *
 * @throws AttestationFormatError for anything else.
 */
export function readUint(name: string, value: unknown, bits: number): bigint {
  const number = readDecimalText(name, value, maxUintDigits);
  if (number >> BigInt(bits) !== 0n) throw failure(name, `a whole number of at most ${bits} bits as text`);
  return number;
}

/**
 * Return a list with at least one element and at most a maximum.
 *
 * @throws AttestationFormatError for anything else.
 */
export function readList(name: string, value: unknown, maximum: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > maximum) {
    throw failure(name, `a list of 1 to ${maximum}`);
  }
  return value;
}

/**
 * Return a whole number from 0 to a maximum, from a JSON number.
 *
 * @throws AttestationFormatError for anything else.
 */
export function readInteger(name: string, value: unknown, maximum: number): bigint {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > maximum) {
    throw failure(name, `a whole number up to ${maximum}`);
  }
  return BigInt(value);
}

/**
 * Return a field that is one of the allowed values.
 *
 * @throws AttestationFormatError for anything else.
 */
export function readOneOf<Value>(name: string, value: unknown, allowed: readonly Value[]): Value {
  const match = allowed.find((candidate) => candidate === value);
  if (match === undefined) throw failure(name, `one of ${allowed.join(', ')}`);
  return match;
}

function failure(name: string, expected: string): AttestationFormatError {
  return new AttestationFormatError(`${name} must be ${expected}`);
}
