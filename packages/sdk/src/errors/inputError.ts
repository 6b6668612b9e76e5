import { LevError } from './levError.ts';

/** Error of an unusable argument. Nothing was sent. */
export class InputError extends LevError {
  override readonly name = 'InputError';
  /** Name of the argument, such as `notionalUsd`. */
  readonly field: string;
  readonly value: unknown;

  constructor(field: string, value: unknown, message: string) {
    super('invalid_input', message);
    this.field = field;
    this.value = value;
  }
}

/**
 * Check a text that names a thing of the service.
 *
 * @throws InputError for an empty text and for anything else.
 */
export function checkName(field: string, value: unknown, thing: string): void {
  if (typeof value === 'string' && value !== '') return;
  throw new InputError(field, value, `\`${field}\` is missing. Take it from a ${thing}.`);
}
