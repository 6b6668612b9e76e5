import { InputError } from './inputError.ts';

/**
 * Refuse unknown options: JavaScript would ignore a misspelt one.
 *
 * @param hints Advice by the name of an option that is often used by mistake.
 * @throws InputError for the first unknown option, and for options that are no object.
 */
export function checkKnown(
  subject: string,
  options: object,
  { known, hints = {} }: { readonly known: readonly string[]; readonly hints?: Readonly<Record<string, string>> },
): void {
  if (typeof options !== 'object' || options === null) {
    throw new InputError(subject, options, `\`${subject}\` takes an object with ${known.join(', ')}`);
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = Object.hasOwn(hints, unknown) ? hints[unknown] : `It takes ${known.join(', ')}.`;
  throw new InputError(unknown, Reflect.get(options, unknown), `\`${subject}\` has no option \`${unknown}\`. ${hint}`);
}
