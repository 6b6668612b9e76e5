import { type Purpose, positionStateNames, purposeNames } from '../generated/enums.ts';

/** Name of a state of a position, in lower case. */
export type PositionStateName = (typeof positionStateNames)[number];
/** Name of a purpose of an order, in lower case. */
export type PurposeName = (typeof purposeNames)[number];

/** @throws RangeError for a number that the contract does not have. */
export function positionStateNameOf(state: number): PositionStateName {
  return nameOf(positionStateNames, state);
}

/** @throws RangeError for a number that the contract does not have. */
export function purposeNameOf(purpose: number): PurposeName {
  return nameOf(purposeNames, purpose);
}

/** The contract's number of a purpose. */
export function purposeOf(name: PurposeName): Purpose {
  return purposeNames.indexOf(name) as Purpose;
}

function nameOf<Name extends string>(names: readonly Name[], value: number): Name {
  const name = names[value];
  if (name === undefined) throw new RangeError(`the contract has no member ${value} beside ${names.join(', ')}`);
  return name;
}
