import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Offence, repositoryRoot, type SourceFile } from './workspace.ts';

const exists = (...parts: string[]): boolean => existsSync(join(repositoryRoot, ...parts));

/** Return the anchors of a document: its headings in lower case, without punctuation, with hyphens for blanks. */
export const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map((heading) =>
    (heading[1] ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );

/** Relative links of documents to a missing file or heading. */
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

/** Source files that the root documents and the table of facts name in code spans and that do not exist. */
export function missingPaths(files: readonly SourceFile[]): Offence[] {
  return files
    .filter((file) => /^(?:[A-Z]+|docs\/facts)\.md$/.test(file.path))
    .flatMap((file) =>
      [...file.text.matchAll(/`((?:packages|apps|contracts|bench|tools|docs)\/[\w./-]+)`/g)]
        .filter((found) => !exists(found[1] ?? ''))
        .map((found) => ({ where: file.path, what: `names ${found[1]}, which does not exist` })),
    );
}

const linkedPaths = ({ path, text }: SourceFile): string[] =>
  [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)/g)].map((link) => join(dirname(path), link[1] ?? ''));

/** Documents that no chain of links from README.md reaches. A link to a folder reaches the documents in it. */
export function unreachableDocuments(files: readonly SourceFile[]): Offence[] {
  const documents = files.filter(({ path }) => path.endsWith('.md') && !path.startsWith('.'));
  const reached = new Set(['README.md']);
  for (const path of reached) {
    const document = documents.find((other) => other.path === path);
    for (const linked of document === undefined ? [] : linkedPaths(document)) {
      const target = linked.replace(/\/$/, '');
      for (const other of documents) {
        if (other.path === target || dirname(other.path) === target) reached.add(other.path);
      }
    }
  }
  return documents
    .filter(({ path }) => !reached.has(path))
    .map(({ path }) => ({ where: path, what: 'no link leads here from README.md' }));
}
