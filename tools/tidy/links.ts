import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Offence, repositoryRoot, type SourceFile } from './workspace.ts';

const exists = (...parts: string[]): boolean => existsSync(join(repositoryRoot, ...parts));

/** The anchors of a document: its headings in small letters, without punctuation, with hyphens for blanks. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map((heading) =>
    (heading[1] ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );

/** Relative links of the documents that lead to no file, or to no heading of the document they name. */
export function brokenLinks(files: readonly SourceFile[]): Offence[] {
  const documents = files.filter((file) => file.path.endsWith('.md'));
  return documents.flatMap((file) =>
    [...file.text.matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, path = '', anchor]) => {
        if (path !== '' && !exists(dirname(file.path), path)) return true;
        const target = path === '' ? file : documents.find((other) => other.path === join(dirname(file.path), path));
        return anchor !== undefined && target !== undefined && !anchorsOf(target.text).includes(anchor);
      })
      .map(([link]) => ({ where: file.path, what: `the link ${link.slice(1)} leads nowhere` })),
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
