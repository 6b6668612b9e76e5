import type { Mutant } from './mutantsOf.ts';
import type { SwitchPlace } from './switchPlaces.ts';
import { linkedSources } from './vaultSources.ts';

/**
 * Many mutants of one source compiled at once, each behind a switch. A switch compares the address with which a library
 * is linked, so the compiler cannot know which one is on, and turning another on is linking once more.
 */
export const switchLibrary = { name: 'ActiveMutant', path: 'src/ActiveMutant.sol' } as const;
export const switchLibrarySource = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

library ${switchLibrary.name} {}
`;

/** A mutant and the place where its switch stands. */
export interface Switched {
  readonly mutant: Mutant;
  readonly place: SwitchPlace;
}

/** More of them would take the vault, the pool or an account over the size that can be deployed. */
const maximumDeployed = 24;
/** The linked libraries are put in place whatever their size. */
const maximumLinked = 96;

/** The smallest place that holds a mutant's change; undefined when none does. */
export function placeOf({ edit }: Mutant, places: readonly SwitchPlace[]): SwitchPlace | undefined {
  const holding = places.filter(({ from, to }) => from <= edit.from && edit.to <= to);
  return holding.sort((a, b) => a.to - a.from - (b.to - b.from))[0];
}

/** Mutants of one source in batches, in none of which two places overlap; the same place may be chosen often. */
export function batchesOf<S extends Switched>(file: string, switched: readonly S[]): S[][] {
  const maximumAtOnce = linkedSources.includes(`src/${file}`) ? maximumLinked : maximumDeployed;
  const batches: S[][] = [];
  for (const one of [...switched].sort((a, b) => a.place.from - b.place.from || a.place.to - b.place.to)) {
    const fitting = batches.find(
      (batch) => batch.length < maximumAtOnce && batch.every((other) => standApart(one, other)),
    );
    if (fitting === undefined) batches.push([one]);
    else fitting.push(one);
  }
  return batches;
}

function standApart({ place: a }: Switched, { place: b }: Switched): boolean {
  return a.to <= b.from || b.to <= a.from || (a.from === b.from && a.to === b.to);
}

/** The source with every mutant of a batch behind its switch: the first is on at 1, the second at 2; none is at 0. */
export function switchedSource(file: string, source: string, batch: readonly Switched[]): string {
  const numbered = batch.map((one, index) => ({ ...one, on: index + 1 }));
  const places = new Map(numbered.map(({ place }) => [`${place.from}:${place.to}`, place]));
  let text = source;
  for (const [key, place] of [...places].sort(([, a], [, b]) => b.from - a.from)) {
    const chosen = numbered.filter(({ place: { from, to } }) => `${from}:${to}` === key);
    const original = source.slice(place.from, place.to);
    const choice = chosen.reduceRight((otherwise, { mutant, on }) => {
      const { from, to, text: after } = mutant.edit;
      const changed = source.slice(place.from, from) + after + source.slice(to, place.to);
      return chosenAt(on, { kind: place.kind, changed, otherwise });
    }, original);
    text = text.slice(0, place.from) + enclosed(place.kind, choice) + text.slice(place.to);
  }
  const toRoot = '../'.repeat(file.split('/').length - 1) || './';
  return text.replace(
    /^pragma [^\n]*/m,
    (line) => `${line} import {${switchLibrary.name}} from "${toRoot}ActiveMutant.sol";`,
  );
}

function chosenAt(
  on: number,
  { kind, changed, otherwise }: Pick<SwitchPlace, 'kind'> & { readonly changed: string; readonly otherwise: string },
): string {
  const isOn = `address(${switchLibrary.name}) == address(uint160(${on}))`;
  return kind === 'expression'
    ? `(${isOn} ? (${changed}) : (${otherwise}))`
    : `if (${isOn}) { ${changed} } else { ${otherwise} }`;
}

/** A statement stays one where it is the only one of a branch. */
function enclosed(kind: SwitchPlace['kind'], choice: string): string {
  return kind === 'statement' ? `{ ${choice} }` : choice;
}
