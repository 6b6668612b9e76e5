import { anchorsOf } from './links.ts';
import { lineAt, type Offence, type SourceFile } from './workspace.ts';

const isList = ({ path }: SourceFile): boolean => path.endsWith('/DECISIONS.md');
const index = 'docs/decisions.md';
const form = /^- Decision: .+\n- Because: .+\n- Revisit when: .+$/;
const maxWords = 100;

/** Sections that are not three lines (decision, because, revisit when), and lists that the index does not link. */
export function malformedDecisions(files: readonly SourceFile[]): Offence[] {
  const indexText = files.find(({ path }) => path === index)?.text ?? '';
  return files.filter(isList).flatMap(({ path, text }) => {
    const [, ...sections] = text.trimEnd().split(/\n\n## /);
    const unlisted = indexText.includes(`../${path})`) ? [] : [{ where: path, what: `${index} does not link it` }];
    const malformed = sections.flatMap((section) => {
      const [title = '', body = ''] = section.split('\n', 1).concat(section.slice(section.indexOf('\n') + 1));
      const words = body.split(/\s+/).length;
      const where = `${path}:${lineAt(text, text.indexOf(`## ${title}`))}`;
      if (!form.test(body)) return [{ where, what: 'a decision has three lines: Decision, Because, Revisit when' }];
      return words > maxWords ? [{ where, what: `${words} words; the limit is ${maxWords}` }] : [];
    });
    return [...unlisted, ...malformed];
  });
}

/** References in code to a decision that its list does not hold. */
export function missingDecisions(files: readonly SourceFile[]): Offence[] {
  const anchorsByList = new Map(files.filter(isList).map(({ path, text }) => [path, anchorsOf(text)]));
  return files
    .filter(({ path }) => /\.(?:tsx?|mjs|sol|sql)$/.test(path) && !path.startsWith('tools/tidy/'))
    .flatMap((file) =>
      [...file.text.matchAll(/([\w/-]+\/DECISIONS\.md)#([\w-]+)/g)]
        .filter(([, list = '', anchor = '']) => anchorsByList.get(list)?.includes(anchor) !== true)
        .map((found) => ({
          where: `${file.path}:${lineAt(file.text, found.index)}`,
          what: `no decision ${found[0]}`,
        })),
    );
}
