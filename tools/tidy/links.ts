import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Offence, repositoryRoot, type SourceFile } from './workspace.ts';

const exists = (...parts: string[]): boolean => existsSync(join(repositoryRoot, ...parts));

/** Relative links of the documents that lead nowhere. */
export function brokenLinks(files: readonly SourceFile[]): Offence[] {
  return files
    .filter((file) => file.path.endsWith('.md'))
    .flatMap((file) =>
      [...file.text.matchAll(/\]\((?!https?:|#|mailto:)([^)\s#]+)/g)]
        .filter((found) => !exists(dirname(file.path), found[1] ?? ''))
        .map((found) => ({ where: file.path, what: `the link to ${found[1]} leads nowhere` })),
    );
}

/** Source files that the documents at the root name in code spans and that do not exist. */
export function missingPaths(files: readonly SourceFile[]): Offence[] {
  return files
    .filter((file) => /^[A-Z]+\.md$/.test(file.path))
    .flatMap((file) =>
      [...file.text.matchAll(/`((?:packages|apps|contracts|bench|tools|docs)\/[\w./-]+)`/g)]
        .filter((found) => !exists(found[1] ?? ''))
        .map((found) => ({ where: file.path, what: `names ${found[1]}, which does not exist` })),
    );
}
