import { type Codec, fileOf } from './codecs.ts';
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

/** End of the name under which a file with the value of a setting is named. */
const fileSuffix = '_FILE';

/**
 * Read a program's settings. An empty variable counts as absent, as shells and container files leave it. The value of
 * every setting may be in a file that `<name>_FILE` names, so that no environment shows a secret.
 * @throws FriendlyError with one line for every variable at fault. No line shows a value: it may be a secret.
 */
export function readEnvironment<const Table extends SettingTable>(
  definition: ProgramSettings<Table>,
  environment: Environment,
): ValuesOf<Table> {
  const problems = unknownNames(definition, environment).map((name) => unknownText(name, definition));
  const values: Record<string, unknown> = {};
  for (const [name, { codec, absent }] of Object.entries(definition.settings)) {
    const { name: source, text, codec: codecOfSource } = sourceOf(definition, environment, { name, codec });
    const value = text === '' ? undefined : codecOfSource.read(text);
    if (source !== name && (environment[name] ?? '') !== '') problems.push(`${name} and ${source} are both set`);
    else if (value !== undefined) values[name] = value;
    else if (text !== '') problems.push(`${source} must be ${codecOfSource.expects}`);
    else if (absent.kind === 'default') values[name] = absent.value;
    else problems.push(`${name} is missing: set it to ${codec.expects}`);
  }
  if (problems.length === 0) return values as ValuesOf<Table>;
  const lines = problems.length === 1 ? ` ${problems.join('')}` : `\n  ${problems.join('\n  ')}`;
  throw new FriendlyError(`The environment of ${definition.program} is not usable:${lines}`);
}

/** Variable that has a setting's value. */
interface Source<Value> {
  readonly name: string;
  readonly text: string;
  readonly codec: Codec<Value>;
}

/** Return the file that is named for a setting, and without one the variable of its own name. */
function sourceOf<Value>(
  { settings }: Pick<ProgramSettings<SettingTable>, 'settings'>,
  environment: Environment,
  { name, codec }: Pick<Source<Value>, 'name' | 'codec'>,
): Source<Value> {
  const fileName = `${name}${fileSuffix}`;
  const path = Object.hasOwn(settings, fileName) ? '' : (environment[fileName] ?? '');
  if (path === '') return { name, codec, text: environment[name] ?? '' };
  return { name: fileName, codec: fileOf(codec), text: path };
}

/** Return the setting whose value the file of this name holds. */
const settingOfFile = (name: string): string => (name.endsWith(fileSuffix) ? name.slice(0, -fileSuffix.length) : name);

function unknownNames(
  { settings, ownPrefixes, elsewhere = [] }: ProgramSettings<SettingTable>,
  environment: Environment,
): readonly string[] {
  return Object.keys(environment).filter(
    (name) =>
      environment[name] !== undefined &&
      ownPrefixes.some((prefix) => name.startsWith(prefix)) &&
      [name, settingOfFile(name)].every((each) => !Object.hasOwn(settings, each) && !elsewhere.includes(each)),
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
