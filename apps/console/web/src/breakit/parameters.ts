import type { ParameterSchema, ParameterValues, Scenario } from './venueClient.ts';

/** Fields as a person has them: text, also for numbers. */
export type FieldTexts = Readonly<Record<string, string>>;

/** The fields of a scenario with their usual values; one that may be left out is empty. */
export function firstFields({ params }: Scenario): FieldTexts {
  const fields = Object.entries(params.properties ?? {});
  return Object.fromEntries(
    fields.map(([name, { default: usual }]) => [name, usual === undefined ? '' : String(usual)]),
  );
}

/** The choices of a field that is one of a few words; null for any other. */
export function choicesOf({ type, enum: words }: ParameterSchema, name: string): readonly string[] | null {
  if (words !== undefined) return words;
  if (type === 'boolean') return ['true', 'false'];
  // A side may be written in capitals, which a schema cannot say.
  if (name === 'side' || name === 'token') return ['yes', 'no'];
  return name === 'outcome' ? ['yes', 'no'] : null;
}

/** What the simulator is sent; empty fields are left out, so that its own usual values count. */
export function valuesOf({ params }: Scenario, fields: FieldTexts): ParameterValues {
  const filled = Object.entries(fields).filter(([, text]) => text.trim() !== '');
  return Object.fromEntries(filled.map(([name, text]) => [name, valueOf(params.properties?.[name], text.trim())]));
}

function valueOf(schema: ParameterSchema | undefined, text: string): string | number | boolean {
  if (schema?.type === 'boolean') return text === 'true';
  const isNumber = schema?.type === 'number' || schema?.type === 'integer';
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
}
