import { z } from 'zod';
import { lineAt, type Offence, type SourceFile } from './workspace.ts';

const manifestSchema = z.looseObject({ scripts: z.record(z.string(), z.string()).default({}) });

/** Commands of pnpm itself, which are no scripts of the root. */
const builtIn = /^(?:install|exec|add|pack|publish|-)/;

/** Commands of documents and workflows that start a script which the root does not have. */
export function missingScripts(files: readonly SourceFile[]): Offence[] {
  const manifest = files.find(({ path }) => path === 'package.json')?.text ?? '{}';
  const { scripts } = manifestSchema.parse(JSON.parse(manifest));
  return files
    .filter(({ path }) => /\.(?:md|ya?ml)$/.test(path) && path !== 'pnpm-lock.yaml')
    .flatMap((file) =>
      [...file.text.matchAll(/npx -y pnpm@12 ([^\s`|)]+)/g)]
        .filter(([, name = '']) => !builtIn.test(name) && scripts[name] === undefined)
        .map((found) => ({
          where: `${file.path}:${lineAt(file.text, found.index)}`,
          what: `no script ${found[1]} in package.json`,
        })),
    );
}

/** Packages with tests of a ring that no run starts, since their manifest has no script for it. */
export function ringsNeverRun(files: readonly SourceFile[]): Offence[] {
  const manifests = files.filter(({ path }) => path.endsWith('/package.json'));
  return (['real', 'long'] as const).flatMap((ring) =>
    manifests
      .filter(({ text }) => !text.includes(`"test:${ring}"`))
      .filter(({ path }) => {
        const folder = path.slice(0, -'package.json'.length);
        return files.some((file) => file.path.startsWith(folder) && file.path.endsWith(`.${ring}.test.ts`));
      })
      .map(({ path }) => ({ where: path, what: `${ring} tests, but no script test:${ring}` })),
  );
}

/**
 * Tests whose properties draw from a seed of their own, so that a run does not repeat another: a Vitest configuration
 * without the shared base, and elsewhere a test of properties without the shared seed.
 */
export function testsWithoutSeed(files: readonly SourceFile[]): Offence[] {
  const isSeeded = ({ text }: SourceFile): boolean => /vitest\.(?:base|setup)\.ts'/.test(text);
  const configs = files.filter(({ path }) => path.endsWith('/vitest.config.ts'));
  const folders = configs.map(({ path }) => path.slice(0, -'vitest.config.ts'.length));
  const others = files.filter(
    ({ path, text }) =>
      path.endsWith('.test.ts') &&
      text.includes("from 'fast-check'") &&
      !folders.some((folder) => path.startsWith(folder)),
  );
  return [...configs, ...others]
    .filter((file) => !isSeeded(file))
    .map(({ path }) => ({ where: path, what: 'properties without the shared seed' }));
}
