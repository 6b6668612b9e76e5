import { errorTable } from '@core/errors';
import { routes } from '@core/wire';
import { tooManyAssertions } from './assertions.ts';
import { importCircles } from './circles.ts';
import { missingScripts, ringsNeverRun, testsWithoutSeed } from './commands.ts';
import { constantsReadByTestsOnly } from './constants.ts';
import { malformedDecisions, missingDecisions } from './decisions.ts';
import { findUnused } from './knip/findUnused.ts';
import { publicSurface } from './knip/publicSurface.ts';
import { brokenLinks, missingPaths, unreachableDocuments } from './links.ts';
import { importsFollowTheMap, mapIsComplete, strangersStayApart } from './packageMap.ts';
import { untrueRecipes } from './recipes.ts';
import { longSentences, participleNames, questionOpeners } from './shape.ts';
import { looseLockfile, supplyChainRisks } from './supplyChain.ts';
import { codesRaisedAndTested, routesTested } from './surface.ts';
import { bannedNames, bannedText, fileLengths, lineWidths, orphans } from './text.ts';
import { privateWordsIn } from './words.ts';
import { type Offence, readLockfile, repositoryRoot, type SourceFile } from './workspace.ts';

/** A rule and its offences. */
interface Rule {
  readonly name: string;
  readonly offences: readonly Offence[];
}

/** Return every rule with its offences in the repository. */
export function judge(files: readonly SourceFile[]): Rule[] {
  const codes = Object.keys(errorTable);
  const unused = findUnused({ root: repositoryRoot, publicSurface });
  return [
    { name: 'banned text', offences: bannedText(files) },
    { name: 'banned names', offences: bannedNames(files) },
    { name: 'orphans', offences: orphans(files) },
    { name: 'package table', offences: mapIsComplete(files) },
    { name: 'imports', offences: importsFollowTheMap(files) },
    { name: 'strangers', offences: strangersStayApart(files) },
    { name: 'links', offences: [...brokenLinks(files), ...missingPaths(files), ...unreachableDocuments(files)] },
    { name: 'commands', offences: [...missingScripts(files), ...ringsNeverRun(files)] },
    { name: 'property seeds', offences: testsWithoutSeed(files) },
    { name: 'decisions', offences: [...malformedDecisions(files), ...missingDecisions(files)] },
    { name: 'doc blocks', offences: questionOpeners(files) },
    { name: 'long sentences', offences: longSentences(files) },
    { name: 'participle names', offences: participleNames(files) },
    { name: 'recipes', offences: untrueRecipes(files) },
    { name: 'error codes', offences: codesRaisedAndTested(files, codes) },
    { name: 'routes', offences: routesTested(files, Object.keys(routes)) },
    { name: 'file lengths', offences: fileLengths(files) },
    { name: 'line widths', offences: lineWidths(files) },
    { name: 'import circles', offences: importCircles(files) },
    { name: 'constants', offences: constantsReadByTestsOnly(files) },
    { name: 'type assertions', offences: tooManyAssertions() },
    { name: 'unused exports', offences: unused.exports },
    { name: 'tests-only exports', offences: unused.testOnly },
    { name: 'dependencies', offences: unused.dependencies },
    { name: 'private words', offences: privateWordsIn(files) },
    { name: 'supply chain', offences: [...supplyChainRisks(files), ...looseLockfile(readLockfile())] },
  ];
}
