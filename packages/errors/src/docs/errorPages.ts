import { errorCodes } from '../errorCodes.ts';
import { statusesOf } from '../statusesOf.ts';
import { errorTable } from '../table.ts';
import { errorPageOf } from './errorPage.ts';

/** Build every file of `docs/errors` by name: one page per code and an index. */
export function errorPages(): ReadonlyMap<string, string> {
  const rows = errorCodes.map(
    (code) => `- [\`${code}\`](${code}.md): ${statusesOf(code).join(' or ')}, retry ${errorTable[code].retry}`,
  );
  const index = [
    '# Error codes',
    '',
    'Generated from the table in `packages/errors/src/table.ts`. ' +
      'Programs dispatch on `error.code`; the message is for display.',
    '',
    ...rows,
    '',
  ].join('\n');
  return new Map([['README.md', index], ...errorCodes.map((code) => [`${code}.md`, errorPageOf(code)] as const)]);
}
