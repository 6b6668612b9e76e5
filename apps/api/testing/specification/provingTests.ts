import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exampleOf, type RouteName, routes } from '@core/wire';
import { limitTests, type NamedTest } from './exceptions.ts';
import { eventTests, promiseTests, statusTests } from './promises.ts';
import type { SpecifiedItem } from './specifiedItems.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** The test that calls every route and holds the recorded examples to the shape of its answers. */
const everyRouteTest = 'apps/api/test/everyRoute.test.ts';
/** Tests of the service first: what is seen over HTTP counts more than what a package says of itself. */
const places = [
  'apps/api/test',
  'apps/api/src',
  'packages/wire',
  'packages/policy',
  'packages/market',
  'packages/store',
  'packages/position',
  'packages/pricing',
  'apps/keeper',
];
/** This walk and its lists name everything. */
const ownTest = 'apps/api/test/specification.test.ts';

interface TestFile {
  readonly file: string;
  readonly text: string;
  /** Every name in the text. */
  readonly names: ReadonlySet<string>;
}

/** Evidence for each name of the interface: the text of tests, and the answers of the service. */
export class ProvingTests {
  readonly #files: readonly TestFile[];
  readonly #answered: ReadonlySet<string>;

  constructor() {
    this.#files = places.flatMap((place) =>
      globSync(`${place}/**/*.test.ts`, { cwd: root, exclude: (name) => name.includes('node_modules') })
        .filter((file) => file !== ownTest)
        .toSorted((a, b) => a.localeCompare(b))
        .map((file) => {
          const text = readFileSync(path.join(root, file), 'utf8');
          return { file, text, names: new Set(text.match(/[\w-]+/g) ?? []) };
        }),
    );
    const names = Object.keys(routes) as RouteName[];
    this.#answered = new Set(JSON.stringify(names.map((name) => exampleOf(name))).match(/[\w-]+/g) ?? []);
  }

  /** The first test that holds an item, as a path from the root; null when none does. */
  fileOf(item: SpecifiedItem): string | null {
    const files = [everyRouteTest, ...this.#files.map(({ file }) => file)];
    return files.find((file) => this.holds(file, item)) ?? null;
  }

  /** True when a test file holds an item: calls its route, was answered with its name, or names it. */
  holds(file: string, { kind, name }: SpecifiedItem): boolean {
    const match = this.#files.find((each) => each.file === file);
    if (match === undefined) return false;
    if (kind === 'route') return file === everyRouteTest;
    if (kind !== 'identifier') {
      const named = namedTests[kind].get(name);
      const body = named?.[0] === file ? bodyOf(match.text, named) : null;
      // A test of an event or a status says it.
      return body !== null && ((kind !== 'event' && kind !== 'status') || body.includes(`'${name}'`));
    }
    const [start = '', end = ''] = name.split('*');
    const isMeant = (each: string): boolean =>
      name.includes('*') ? each.startsWith(start) && each.endsWith(end) : each === name;
    const names = file === everyRouteTest ? this.#answered : match.names;
    return names.has(name) || (name.includes('*') && [...names].some(isMeant));
  }
}

const namedTests: Readonly<Record<'limit' | 'status' | 'event' | 'promise', ReadonlyMap<string, NamedTest>>> = {
  limit: new Map(Object.entries(limitTests)),
  status: new Map(Object.entries(statusTests)),
  event: new Map(Object.entries(eventTests)),
  promise: new Map(Object.entries(promiseTests)),
};

/** A test from its title to the next one; null when there is none of that title. */
function bodyOf(text: string, [, title]: NamedTest): string | null {
  const match = text
    .split(/^(?=\s*(?:test|describe)\b)/m)
    .find((part) => part.slice(0, part.indexOf('=> {')).includes(title));
  return match ?? null;
}
