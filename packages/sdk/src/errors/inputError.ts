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
