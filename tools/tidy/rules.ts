import { errorTable } from '@core/errors';
import { type RouteName, routes } from '@core/wire';
import { importCircles } from './circles.ts';
import { constantsReadByTestsOnly } from './constants.ts';
import { findUnused } from './knip/findUnused.ts';
import { publicSurface } from './knip/publicSurface.ts';
import { brokenLinks, missingPaths } from './links.ts';
import { importsFollowTheMap, mapIsComplete } from './rooms.ts';
import { looseLockfile, supplyChainRisks } from './supplyChain.ts';
import { codesRaisedAndTested, routesTested } from './surface.ts';
import { bannedNames, bannedText, fileLengths, lineWidths, orphans } from './text.ts';
import { privateWordsIn } from './words.ts';
import { type Offence, readLockfile, repositoryRoot, type SourceFile } from './workspace.ts';

/** A rule and what it finds. */
interface Rule {
  readonly name: string;
  readonly offences: readonly Offence[];
}

/** Every rule with what it finds in the repository. */
export function judge(files: readonly SourceFile[]): Rule[] {
  const codes = Object.keys(errorTable);
  const unused = findUnused({ root: repositoryRoot, publicSurface });
  return [
    { name: 'banned text', offences: bannedText(files) },
    { name: 'banned names', offences: bannedNames(files) },
    { name: 'orphans', offences: orphans(files) },
    { name: 'map of rooms', offences: mapIsComplete(files) },
    { name: 'imports', offences: importsFollowTheMap(files) },
    { name: 'links', offences: [...brokenLinks(files), ...missingPaths(files)] },
    { name: 'error codes', offences: codesRaisedAndTested(files, codes) },
    { name: 'routes', offences: routesTested(files, Object.keys(routes) as RouteName[]) },
    { name: 'file lengths', offences: fileLengths(files) },
    { name: 'line widths', offences: lineWidths(files) },
    { name: 'import circles', offences: importCircles(files) },
    { name: 'constants', offences: constantsReadByTestsOnly(files) },
    { name: 'unused exports', offences: unused.exports },
    { name: 'tests-only exports', offences: unused.testOnly },
    { name: 'dependencies', offences: unused.dependencies },
    { name: 'private words', offences: privateWordsIn(files) },
    { name: 'supply chain', offences: [...supplyChainRisks(files), ...looseLockfile(readLockfile())] },
  ];
}
