import { publicNameOf } from './published.ts';

/** The name of the module that an import, an export or a type names, in the text that the compiler writes. */
const specifier = /(?<=(?:\bfrom |\bimport\(|^import )['"])[^'"\n]+(?=['"])/gm;

/**
 * A file as the compiler emitted it, with the names under which its package and its neighbours are published. What
 * declarations call `./x.ts` is `./x.js` in a package.
 */
export function publishedText(emitted: string): string {
  return emitted.replace(specifier, (name) =>
    name.startsWith('.') ? name.replace(/(?<!\.d)\.ts$/, '.js') : publicNameOf(name),
  );
}

/** Packages that an emitted file imports, by the names it calls them. */
export function packagesIn(emitted: string): readonly string[] {
  return [...emitted.matchAll(specifier)]
    .map(([name]) => name)
    .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}

/** The source map of a file, which holds its sources: their paths are relative to the package, not to the build. */
export function publishedMap(emitted: string, sourcePath: string): string {
  return JSON.stringify({ ...(JSON.parse(emitted) as object), sourceRoot: '', sources: [sourcePath] });
}
