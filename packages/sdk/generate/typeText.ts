/** Part of JSON Schema that the documents of this service use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
  readonly deprecated?: boolean;
}

/** Format a description as the comment above a member; empty without one. */
export function commentOf(
  { description, deprecated }: Pick<Schema, 'description' | 'deprecated'>,
  indent = '',
): string {
  const parts = [description, deprecated === true ? '@deprecated' : undefined].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : `${indent}/** ${parts.join('. ').replaceAll('*/', '*\\/')} */\n`;
}

/** Format a schema as a TypeScript type; references become the names of their components. */
export function typeText(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'never';
  if ('const' in schema) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) return [...new Set(union.map((part) => typeText(part, indent)))].join(' | ');
  if (typeof schema.type === 'object')
    return schema.type.map((type) => typeText({ ...schema, type }, indent)).join(' | ');
  if (schema.type === 'array') return `readonly ${bracketed(typeText(schema.items ?? {}, indent))}[]`;
  if (schema.type === 'object') return objectText(schema, indent);
  if (schema.pattern?.startsWith('^0x') === true) return hexType;
  return plainTypes[schema.type ?? ''] ?? 'unknown';
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Text of bytes in hex. */
const hexType = '`0x${string}`';

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value));
const bracketed = (text: string): string =>
  text.includes(' ') && !(text.startsWith('{') && text.endsWith('}')) ? `(${text})` : text;

function objectText(schema: Schema, indent: string): string {
  const { properties, required = [], additionalProperties } = schema;
  if (properties === undefined) {
    const values = typeof additionalProperties === 'object' ? typeText(additionalProperties, indent) : 'unknown';
    return `Readonly<Record<string, ${values}>>`;
  }
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, member]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${commentOf(member, inner)}${inner}readonly ${name}${mark}: ${typeText(member, inner)};`;
  });
  return members.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${members.join('\n')}\n${indent}}`;
}
