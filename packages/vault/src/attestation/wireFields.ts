import type { Hex } from 'viem';

/** A body that is not what the protocol says; the message names the field. */
export class AttestationFormatError extends Error {
  override readonly name = 'AttestationFormatError';
}

/**
 * The fields of a JSON object that has exactly these names.
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
  const missing = names.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) throw failure(missing, 'present');
  return value as Readonly<Record<Name, unknown>>;
}

/** So many bytes in hexadecimal, in lower case. @throws AttestationFormatError for anything else. */
export function readHex(name: string, value: unknown, byteLength: number): Hex {
  if (typeof value !== 'string' || value.length !== 2 + 2 * byteLength || !/^0x[0-9a-fA-F]*$/.test(value)) {
    throw failure(name, `${byteLength} bytes in hexadecimal`);
  }
  return value.toLowerCase() as Hex;
}

/** A whole number written as decimal text, without sign and leading zeros. @throws AttestationFormatError otherwise. */
export function readDecimalText(name: string, value: unknown, maxDigits: number): bigint {
  if (typeof value !== 'string' || !/^(?:0|[1-9][0-9]*)$/.test(value) || value.length > maxDigits) {
    throw failure(name, `a whole number of at most ${maxDigits} digits as text`);
  }
  return BigInt(value);
}

/** A whole number from 0 to a maximum, as a JSON number. @throws AttestationFormatError for anything else. */
export function readInteger(name: string, value: unknown, maximum: number): bigint {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > maximum) {
    throw failure(name, `a whole number up to ${maximum}`);
  }
  return BigInt(value);
}

/** One of some values. @throws AttestationFormatError for anything else. */
export function readOneOf<Value>(name: string, value: unknown, allowed: readonly Value[]): Value {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw failure(name, `one of ${allowed.join(', ')}`);
  return found;
}

function failure(name: string, expected: string): AttestationFormatError {
  return new AttestationFormatError(`${name} must be ${expected}`);
}
