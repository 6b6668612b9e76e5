import { isGenerated, isTest, isTypeScript, type Offence, type SourceFile } from './workspace.ts';

/** Codes of the error table that no product code raises or no test asserts. */
export function codesRaisedAndTested(files: readonly SourceFile[], codes: readonly string[]): Offence[] {
  const product = files.filter(
    (file) =>
      isTypeScript(file.path) &&
      !isTest(file.path) &&
      !isGenerated(file.path) &&
      !/^(packages\/(errors|wire|sdk)|tools)\//.test(file.path),
  );
  const tests = files.filter(
    (file) => isTypeScript(file.path) && isTest(file.path) && !file.path.startsWith('packages/errors/'),
  );
  const occursIn = (haystack: readonly SourceFile[], code: string): boolean =>
    haystack.some((file) => file.text.includes(`'${code}'`) || file.text.includes(`${code}:`));
  return codes.flatMap((code) => [
    ...(occursIn(product, code) ? [] : [{ where: code, what: 'this error code is never raised' }]),
    ...(occursIn(tests, code) ? [] : [{ where: code, what: 'no test asserts this error code' }]),
  ]);
}

/** Routes that no test of the API names. */
export function routesTested(files: readonly SourceFile[], routeNames: readonly string[]): Offence[] {
  const tests = files.filter((file) => file.path.startsWith('apps/api/') && isTest(file.path));
  return routeNames
    .filter((name) => !tests.some((file) => file.text.includes(`'${name}'`)))
    .map((name) => ({ where: name, what: 'no test of the API names this route' }));
}
