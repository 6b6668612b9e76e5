import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { repositoryRoot } from '../tidy/workspace.ts';
import { buildPackage } from './buildPackage.ts';
import { type PublishedRoom, publicNameOf, publishedRooms } from './published.ts';

/**
 * Writes what each package shows to those who install it, for a reviewer to see a change of it: the declarations that
 * its entry reaches, without comments. With `--check` nothing is written, and a report that is out of date fails.
 */
const maxLines = 80;
const shownLines = 12;
const reports = join(repositoryRoot, 'docs/api');

async function reportOf(room: PublishedRoom): Promise<string> {
  const built = join(room.folder, 'dist');
  await buildPackage(room);
  const files = declarationsFrom(join(built, 'index.d.ts'), built);
  const blocks = [...files].map(([path, text]) => `## ${path}\n\n\`\`\`ts\n${text}\n\`\`\`\n`);
  const name = publicNameOf(room.manifest.name);
  return [`# What \`${name}\` declares`, 'Written by `gen`. The first file is the entry.', ...blocks].join('\n\n');
}

/** Path → declarations of a file and of all it reaches in its package: the entry, and then by path. */
function declarationsFrom(entry: string, root: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const follow = (file: string): void => {
    if (found.has(file)) return;
    const text = readFileSync(file, 'utf8');
    found.set(file, plainDeclarations(text));
    for (const { groups } of text.matchAll(/['"](?<path>\.{1,2}\/[^'"\n]+)\.js['"]/g)) {
      follow(`${join(dirname(file), groups?.['path'] ?? '')}.d.ts`);
    }
  };
  follow(entry);
  const [first = ['', ''] as const, ...others] = [...found].map(
    ([file, text]) => [relative(root, file), text] as const,
  );
  return new Map([first, ...others.toSorted(([left], [right]) => (left < right ? -1 : 1))]);
}

/** Declarations without comments; of a table, whose type repeats its rows, some lines and a digest of the others. */
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
for (const room of publishedRooms()) {
  const path = join(reports, `${room.shortName}.md`);
  const report = await reportOf(room);
  if (!isCheck) writeFileSync(path, report);
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== report) {
    process.stdout.write(`${relative(repositoryRoot, path)} is out of date: run gen, and review what changed\n`);
    process.exitCode = 1;
  }
}
