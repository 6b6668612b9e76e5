import { isGenerated, isTest, type Offence, packageOf, type SourceFile } from './workspace.ts';

/** A recipe of AGENTS.md: identifiers of a change that was made, and the files that it lists. */
interface Recipe {
  readonly title: string;
  readonly examples: readonly string[];
  readonly paths: readonly string[];
}

const page = 'AGENTS.md';
const spansOf = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map((span) => span[1] ?? '');

/** Return the recipes of a page: its sections with an `Example:` line. */
export function recipesOf(text: string): Recipe[] {
  return text.split(/^## /m).flatMap((section) => {
    const example = /^Example: (?:`\w+`(?:, )?)+/m.exec(section)?.[0];
    if (example === undefined) return [];
    const steps = section.split('\n').filter((line) => line.startsWith('- '));
    return [
      {
        title: section.slice(0, section.indexOf('\n')),
        examples: spansOf(example),
        paths: steps.flatMap((line) => spansOf(line.slice(0, line.indexOf(': ')))),
      },
    ];
  });
}

const isProduct = ({ path }: SourceFile): boolean =>
  /\.(?:tsx?|sol|prisma)$/.test(path) &&
  !isTest(path) &&
  !isGenerated(path) &&
  /^(?:packages|apps|contracts)\//.test(packageOf(path) + '/');

/** Recipes that list a file without their example, or leave out a product file that has it. */
export function untrueRecipes(files: readonly SourceFile[]): Offence[] {
  const text = files.find(({ path }) => path === page)?.text ?? '';
  const product = files.filter(isProduct);
  return recipesOf(text).flatMap(({ title, examples, paths }) => {
    const mention = new RegExp(String.raw`\b(?:${examples.join('|')})\b`);
    const touched = product.filter((file) => mention.test(file.text)).map(({ path }) => path);
    const faultOf = (what: string) => (path: string) => ({ where: page, what: `"${title}" ${what} ${path}` });
    return [
      ...paths.filter((path) => !touched.includes(path)).map(faultOf('lists a file without its example:')),
      ...touched.filter((path) => !paths.includes(path)).map(faultOf('leaves out')),
    ];
  });
}
