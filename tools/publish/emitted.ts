import { publicNameOf } from './published.ts';

/** Module name of an import, an export or a type in emitted text. */
const specifier = /(?<=(?:\bfrom |\bimport\(|^import )['"])[^'"\n]+(?=['"])/gm;

/** Return emitted text with the published names of packages, and `./x.js` for `./x.ts`. */
export function publishedText(emitted: string): string {
  return emitted.replace(specifier, (name) =>
    name.startsWith('.') ? name.replace(/(?<!\.d)\.ts$/, '.js') : publicNameOf(name),
  );
}

/** Return the packages that an emitted file imports. */
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

/** Return the source map of a file with its sources; their paths are relative to the package. */
export function publishedMap(emitted: string, sourcePath: string): string {
  const map: object = JSON.parse(emitted);
  return JSON.stringify({ ...map, sourceRoot: '', sources: [sourcePath] });
}
