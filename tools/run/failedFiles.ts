import { z } from 'zod';

const resultsSchema = z.looseObject({
  testResults: z.array(
    z.looseObject({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.looseObject({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** A test file that failed, and its failed tests by full name: none where the file itself does not load. */
export interface FailedFile {
  readonly file: string;
  readonly tests: readonly string[];
}

/**
 * Return the failed files of one package.
 *
 * @param results Text that Vitest's JSON reporter wrote.
 * @throws ZodError or SyntaxError when it is no such text.
 */
export function failedFilesOf(results: string): readonly FailedFile[] {
  return resultsSchema.parse(JSON.parse(results)).testResults.flatMap(({ name, status, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName);
    return status === 'failed' || tests.length > 0 ? [{ file: name, tests }] : [];
  });
}

/**
 * Return one line for each test that failed and passed when its file was run again.
 *
 * @param root Folder that paths of files are printed relative to, without a final slash.
 */
export function unsteadyLines(files: readonly FailedFile[], root: string): readonly string[] {
  return files.flatMap(({ file, tests }) => {
    const place = file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
    return (tests.length === 0 ? ['(whole file)'] : tests).map((test) => `unsteady: ${place} › ${test}`);
  });
}
