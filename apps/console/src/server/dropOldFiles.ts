import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

/** Files of builds. A tab loads those of its own build for as long as it is open. */
interface KeptFiles {
  /** Maximum age since the last build that wrote the file. */
  readonly maxAgeMs: number;
  /** Maximum number of files, the newest first. */
  readonly maxFiles: number;
}

const dayMs = 86_400_000;

/** A week, and about twelve builds where there are many in a week. */
const keptFiles: KeptFiles = { maxAgeMs: 7 * dayMs, maxFiles: 600 };

/** Delete the files of earlier builds that are too old or too many. A build writes all of its own files again. */
export function dropOldFiles(folder: string, nowMs: number, { maxAgeMs, maxFiles } = keptFiles): void {
  if (!existsSync(folder)) return;
  const files = readdirSync(folder).map((name) => {
    const file = path.join(folder, name);
    return { file, writtenMs: statSync(file).mtimeMs };
  });
  files.sort((left, right) => right.writtenMs - left.writtenMs);
  const old = files.filter(({ writtenMs }, index) => index >= maxFiles || nowMs - writtenMs > maxAgeMs);
  for (const { file } of old) rmSync(file);
}
