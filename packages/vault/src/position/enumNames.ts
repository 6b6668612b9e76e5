import { Purpose, positionStateNames, purposeNames } from '../generated/enums.ts';

/** Name of a position state, in lower case. */
export type PositionStateName = (typeof positionStateNames)[number];
/** Name of an order purpose, in lower case. */
export type PurposeName = (typeof purposeNames)[number];

/**
 * Return the name of a position state.
 *
 * @throws RangeError for a number that the contract does not have.
 */
export function positionStateNameOf(state: number): PositionStateName {
  return nameOf(positionStateNames, state);
}

/**
 * Return the name of an order purpose.
 *
 * @throws RangeError for a number that the contract does not have.
 */
export function purposeNameOf(purpose: number): PurposeName {
  return nameOf(purposeNames, purpose);
}

const purposeOfName = {
  none: Purpose.None,
  open: Purpose.Open,
  close: Purpose.Close,
  unwind: Purpose.Unwind,
  liquidate: Purpose.Liquidate,
} as const satisfies Readonly<Record<PurposeName, Purpose>>;

/** Return the contract's number of a purpose. */
export function purposeOf(name: PurposeName): Purpose {
  return purposeOfName[name];
}

function nameOf<Name extends string>(names: readonly Name[], value: number): Name {
  const name = names[value];
  if (name === undefined) throw new RangeError(`the contract has no member ${value} beside ${names.join(', ')}`);
  return name;
}
