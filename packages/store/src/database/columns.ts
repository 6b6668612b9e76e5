import { keysOf } from '@core/position';
import { encodeDomainJson } from './domainJson.ts';
import { readableJson } from './rowTypes.ts';

/**
 * One rule from record field to column: snake case, and a field that ends in `Ms` is an instant, stored as
 * `timestamptz` under its name without the unit (`createdAtMs` ↔ `created_at`). Units stay the last word in records and
 * columns alike.
 */
export function columnOf(field: string): string {
  const cached = columnNames.get(field);
  if (cached !== undefined) return cached;
  const column = propertyOf(field).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  columnNames.set(field, column);
  return column;
}

/** Cache of columns by field: fields are names in the code, so there are few. */
const columnNames = new Map<string, string>();

/** Return the names of a table of fields, in its order: each is a column. */
export function fieldNamesOf<Table extends object>(table: Table): readonly (keyof Table & string)[] {
  return keysOf(table);
}

const isInstant = (field: string): boolean => field.endsWith('Ms');
/** Return the name of a field in the schema of Prisma. */
const propertyOf = (field: string): string => (isInstant(field) ? field.slice(0, -2) : field);

/** Row of Prisma that has every field of a record. */
type RowOf<Stored> = { readonly [Field in keyof Stored as Field extends `${infer Name}Ms` ? Name : Field]: unknown };

/** Return what makes records of the rows of Prisma: instants are milliseconds, and JSON has its bigints. */
export function recordsOf<Stored extends object>(fields: readonly (keyof Stored & string)[]) {
  const recordOf = (row: RowOf<Stored>): Stored =>
    Object.fromEntries(fields.map((field): unknown[] => [field, fieldValueOf(Reflect.get(row, propertyOf(field)))]));
  return {
    async one(row: Promise<RowOf<Stored> | null>): Promise<Stored | null> {
      const existing = await row;
      return existing && recordOf(existing);
    },
    many: async (rows: Promise<readonly RowOf<Stored>[]>): Promise<readonly Stored[]> => (await rows).map(recordOf),
  };
}

function fieldValueOf(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  return typeof value === 'object' ? readableJson(JSON.stringify(value)) : value;
}

/** `created_at AS "createdAtMs", …`: rows come back from `pg` in the record's own shape, nothing to map afterwards. */
export function selectListOf(fields: readonly string[], table?: string): string {
  const prefix = table === undefined ? '' : `${table}.`;
  return fields.map((field) => `${prefix}${columnOf(field)} AS "${field}"`).join(', ');
}

/** `INSERT INTO table (…) VALUES ($1, …)`, values in the order of `fields`. */
export function insertTextOf(table: string, fields: readonly string[]): string {
  const places = fields.map((_, index) => `$${index + 1}`).join(', ');
  return `INSERT INTO ${table} (${fields.map(columnOf).join(', ')}) VALUES (${places})`;
}

/** Return a record as a JSON object with the columns of `fields`. */
export function rowJsonOf<Field extends string>(
  fields: readonly Field[],
  record: Readonly<Record<Field, unknown>>,
): string {
  return `{${fields.map((field) => `"${columnOf(field)}":${jsonOf(field, record[field])}`).join()}}`;
}

/** `a = EXCLUDED.a, …` for an upsert of these fields. */
export function excludedListOf(fields: readonly string[]): string {
  return fields.map((field) => `${columnOf(field)} = EXCLUDED.${columnOf(field)}`).join(', ');
}

/** Statement parameters of a record, in the order of `fields`. */
export function valuesOf<Field extends string>(
  fields: readonly Field[],
  record: Readonly<Record<Field, unknown>>,
): unknown[] {
  return fields.map((field) => parameterOf(field, record[field]));
}

function parameterOf(field: string, value: unknown): unknown {
  if (value === null || value === undefined) {
    return null;
  }
  if (isInstant(field) && typeof value === 'number') {
    return new Date(value);
  }
  // Lists of strings are text[] columns; every other object is a jsonb column.
  return typeof value === 'object' && !Array.isArray(value) ? encodeDomainJson(value) : value;
}

/** Return a value as its column reads it from JSON: numbers too large for JSON are texts. */
function jsonOf(field: string, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'bigint') return `"${value}"`;
  if (isInstant(field) && typeof value === 'number') return `"${new Date(value).toISOString()}"`;
  return typeof value === 'object' && !Array.isArray(value) ? encodeDomainJson(value) : JSON.stringify(value);
}
