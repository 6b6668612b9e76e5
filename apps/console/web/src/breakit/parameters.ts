import type { ParameterSchema, ParameterValues, Scenario } from './venueClient.ts';

/** Text of each form field, also of numeric ones. */
export type FieldTexts = Readonly<Record<string, string>>;

/** Return the fields of a scenario with their default values; an optional field is empty. */
export function defaultFields({ params }: Scenario): FieldTexts {
  const fields = Object.entries(params.properties ?? {});
  return Object.fromEntries(
    fields.map(([name, { default: value }]) => [name, value === undefined ? '' : String(value)]),
  );
}

/** Return the choices of an enumerated field; null for any other. */
export function choicesOf({ type, enum: words }: ParameterSchema, name: string): readonly string[] | null {
  if (words !== undefined) return words;
  if (type === 'boolean') return ['true', 'false'];
  // The simulator accepts a side in lower and upper case; a select needs only one.
  if (name === 'side' || name === 'token') return ['yes', 'no'];
  return name === 'outcome' ? ['yes', 'no'] : null;
}

/** Return the values to send. Empty fields are omitted, so that the simulator applies its defaults. */
export function valuesOf({ params }: Scenario, fields: FieldTexts): ParameterValues {
  const filledEntries = Object.entries(fields).filter(([, text]) => text.trim() !== '');
  return Object.fromEntries(
    filledEntries.map(([name, text]) => [name, valueOf(params.properties?.[name], text.trim())]),
  );
}

function valueOf(schema: ParameterSchema | undefined, text: string): string | number | boolean {
  if (schema?.type === 'boolean') return text === 'true';
  const isNumber = schema?.type === 'number' || schema?.type === 'integer';
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
}
