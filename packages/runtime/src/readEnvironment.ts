import type { Codec } from './codecs.ts';
import { FriendlyError } from './friendlyError.ts';

/** The variables a process was started with. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One setting of a program: how it is written, and what its absence means. */
export interface Setting<Value> {
  readonly codec: Codec<Value>;
  readonly absent: { readonly kind: 'refused' } | { readonly kind: 'default'; readonly value: Value };
}

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

export type ValuesOf<Table extends SettingTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value> ? Value : never;
};

/** A setting without which the program does not start. */
export function required<Value>(codec: Codec<Value>): Setting<Value> {
  return { codec, absent: { kind: 'refused' } };
}

/** A setting that may be left out; its value is undefined then. */
export function optional<Value>(codec: Codec<Value>): Setting<Value | undefined> {
  return { codec, absent: { kind: 'default', value: undefined } };
}

/** A setting with a value of its own when it is left out. */
export function withDefault<Value>(codec: Codec<Value>, value: NoInfer<Value>): Setting<Value> {
  return { codec, absent: { kind: 'default', value } };
}

export interface ProgramSettings<Table extends SettingTable> {
  /** Name of the program in messages. */
  readonly program: string;
  readonly settings: Table;
  /** Beginnings of names that belong to this program: a variable with one of them that is no setting is a slip. */
  readonly ownPrefixes: readonly string[];
  /** Names with such a prefix that belong to another program and may be in a shared environment. */
  readonly elsewhere?: readonly string[];
}

/**
 * Read a program's settings. An empty variable counts as absent, as shells and container files leave it.
 * @throws FriendlyError with one line for every variable at fault. No line shows a value: it may be a secret.
 */
export function readEnvironment<const Table extends SettingTable>(
  definition: ProgramSettings<Table>,
  environment: Environment,
): ValuesOf<Table> {
  const problems = unknownNames(definition, environment).map((name) => unknownText(name, definition));
  const values: Record<string, unknown> = {};
  for (const [name, { codec, absent }] of Object.entries(definition.settings)) {
    const text = environment[name] ?? '';
    const value = text === '' ? undefined : codec.read(text);
    if (value !== undefined) values[name] = value;
    else if (text !== '') problems.push(`${name} must be ${codec.expects}`);
    else if (absent.kind === 'default') values[name] = absent.value;
    else problems.push(`${name} is missing: set it to ${codec.expects}`);
  }
  if (problems.length === 0) return values as ValuesOf<Table>;
  const lines = problems.length === 1 ? ` ${problems.join('')}` : `\n  ${problems.join('\n  ')}`;
  throw new FriendlyError(`The environment of ${definition.program} is not usable:${lines}`);
}

function unknownNames(
  { settings, ownPrefixes, elsewhere = [] }: ProgramSettings<SettingTable>,
  environment: Environment,
): readonly string[] {
  return Object.keys(environment).filter(
    (name) =>
      environment[name] !== undefined &&
      ownPrefixes.some((prefix) => name.startsWith(prefix)) &&
      !Object.hasOwn(settings, name) &&
      !elsewhere.includes(name),
  );
}

/** A slip of this many letters is still recognised. */
const maximumSlips = 3;

function unknownText(name: string, { program, settings, ownPrefixes }: ProgramSettings<SettingTable>): string {
  const names = Object.keys(settings);
  const nearest = names.toSorted((left, right) => slipsBetween(name, left) - slipsBetween(name, right))[0];
  if (nearest !== undefined && slipsBetween(name, nearest) <= maximumSlips) {
    return `${name} is no setting of ${program}: did you mean ${nearest}?`;
  }
  const ownNames = names.filter((other) => ownPrefixes.some((prefix) => other.startsWith(prefix)));
  return `${name} is no setting of ${program}, which knows ${ownNames.join(', ')}: remove it or correct its name`;
}

/** Levenshtein's distance: letters to insert, remove or replace. */
function slipsBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let index = 0; index < left.length; index += 1) {
    const next = [index + 1];
    for (let column = 0; column < right.length; column += 1) {
      const replaced = (row[column] ?? 0) + (left[index] === right[column] ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
