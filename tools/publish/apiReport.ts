import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { repositoryRoot } from '../tidy/workspace.ts';
import { buildPackage } from './buildPackage.ts';
import { type PublishedPackage, publicNameOf, publishedPackages } from './published.ts';

/**
 * Writes the declarations of each package without comments, so that a reviewer sees every change of them. With
 * `--check` nothing is written, and a stale report fails.
 */
const maxLines = 80;
const shownLines = 12;
const reports = join(repositoryRoot, 'docs/api');

async function reportOf(pkg: PublishedPackage): Promise<string> {
  const built = join(pkg.folder, 'dist');
  await buildPackage(pkg);
  const files = declarationsFrom(join(built, 'index.d.ts'), built);
  const blocks = [...files].map(([path, text]) => `## ${path}\n\n\`\`\`ts\n${text}\n\`\`\`\n`);
  const name = publicNameOf(pkg.manifest.name);
  return [`# What \`${name}\` declares`, 'Written by `gen`. The first file is the entry.', ...blocks].join('\n\n');
}

/** Return the declarations by path: the entry, then all files that it reaches in its package. */
function declarationsFrom(entry: string, root: string): ReadonlyMap<string, string> {
  const reports = new Map<string, string>();
  const follow = (file: string): void => {
    if (reports.has(file)) return;
    const text = readFileSync(file, 'utf8');
    reports.set(file, plainDeclarations(text));
    for (const { groups } of text.matchAll(/['"](?<path>\.{1,2}\/[^'"\n]+)\.js['"]/g)) {
      follow(`${join(dirname(file), groups?.['path'] ?? '')}.d.ts`);
    }
  };
  follow(entry);
  const [first = ['', ''] as const, ...others] = [...reports].map(
    ([file, text]) => [relative(root, file), text] as const,
  );
  return new Map([first, ...others.toSorted(([left], [right]) => (left < right ? -1 : 1))]);
}

/** Return declarations without comments. A long table, whose type repeats its rows, has some lines and a digest. */
function plainDeclarations(text: string): string {
  const plain = text.replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, '').replace(/^[ \t]*\/\/.*\n?/gm, '');
  return plain
    .split(/\n(?=\w)/)
    .map((statement) => {
      const lines = statement.trimEnd().split('\n');
      if (lines.length <= maxLines) return lines.join('\n');
      const others = lines.slice(shownLines).join('\n');
      const digest = createHash('sha256').update(others).digest('hex').slice(0, 16);
      return [...lines.slice(0, shownLines), `// … ${lines.length - shownLines} more lines, SHA-256 ${digest}`].join(
        '\n',
      );
    })
    .join('\n');
}

const isCheck = process.argv.includes('--check');
if (!isCheck) mkdirSync(reports, { recursive: true });
for (const pkg of publishedPackages()) {
  const path = join(reports, `${pkg.shortName}.md`);
  const report = await reportOf(pkg);
  if (!isCheck) writeFileSync(path, report);
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== report) {
    process.stdout.write(`${relative(repositoryRoot, path)} is out of date: run gen, and review what changed\n`);
    process.exitCode = 1;
  }
}
