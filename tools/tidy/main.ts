import { errorTable } from '@core/errors';
import { codesOf, notImplementedRoutes, type RouteName, routes } from '@core/wire';
import { brokenLinks, missingPaths } from './links.ts';
import { importsFollowTheMap, mapIsComplete } from './rooms.ts';
import { codesRaisedAndTested, routesTested } from './surface.ts';
import { bannedNames, bannedText, lengths, orphans } from './text.ts';
import { type Offence, readRepository } from './workspace.ts';

const files = readRepository();
const builtRoutes = (Object.keys(routes) as RouteName[]).filter((name) => !notImplementedRoutes.has(name));
const reachable = new Set<string>(builtRoutes.flatMap((name) => codesOf(routes[name])));
const codes = Object.keys(errorTable).map((code) => ({ code, exempt: !reachable.has(code) }));

const findings: Record<string, Offence[]> = {
  'banned text': bannedText(files),
  'banned names': bannedNames(files),
  lengths: lengths(files),
  orphans: orphans(files),
  'map of rooms': mapIsComplete(files),
  imports: importsFollowTheMap(files),
  links: [...brokenLinks(files), ...missingPaths(files)],
  'error codes': codesRaisedAndTested(files, codes),
  routes: routesTested(files, builtRoutes),
};

for (const [rule, offences] of Object.entries(findings)) {
  for (const offence of offences) process.stdout.write(`${rule}: ${offence.where}: ${offence.what}\n`);
}
const count = Object.values(findings).flat().length;
process.stdout.write(`tidy: ${files.length} files, ${Object.keys(findings).length} rules, ${count} offences\n`);
process.exitCode = count === 0 ? 0 : 1;
