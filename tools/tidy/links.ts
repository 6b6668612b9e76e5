import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Offence, repositoryRoot, type SourceFile } from './workspace.ts';

/** Relative links of the documents that lead nowhere. */
export function brokenLinks(files: readonly SourceFile[]): Offence[] {
  return files
    .filter((file) => file.path.endsWith('.md'))
    .flatMap((file) =>
      [...file.text.matchAll(/\]\((?!https?:|#|mailto:)([^)\s#]+)/g)]
        .filter((found) => !existsSync(join(repositoryRoot, dirname(file.path), found[1] ?? '')))
        .map((found) => ({ where: file.path, what: `the link to ${found[1]} leads nowhere` })),
    );
}
