/** A wrong argument, in one line. */
export class ArgumentError extends Error {}

/** Return one of some values, or refuse the option. */
export function oneOf<Value extends string>(option: string, value: string, allowed: readonly Value[]): Value {
  const match = allowed.find((name) => name === value);
  if (match === undefined) throw new ArgumentError(`--${option} ${value}: use one of ${allowed.join(', ')}`);
  return match;
}

export function wholeOf(option: string, value: string): number {
  const number = /^\d{1,10}$/.test(value) ? Number(value) : null;
  if (number === null) throw new ArgumentError(`--${option} ${value}: use a whole number of up to ten digits`);
  return number;
}
