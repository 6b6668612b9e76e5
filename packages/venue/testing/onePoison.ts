import * as fc from 'fast-check';

/** Ways in which one of several neighbours may be bad. */
export const poisonKinds = ['throws once', 'throws always', 'hangs', 'rubbish'] as const;
export type PoisonKind = (typeof poisonKinds)[number];

/** Several neighbours, one of them bad. */
export interface OnePoison {
  readonly count: number;
  /** Index of the bad one. */
  readonly poisoned: number;
  readonly kind: PoisonKind;
}

/** Two to `maxCount` neighbours, one of them bad in one of the ways. */
export const onePoison = (maxCount: number, kinds: readonly PoisonKind[] = poisonKinds): fc.Arbitrary<OnePoison> =>
  fc
    .tuple(fc.integer({ min: 2, max: maxCount }), fc.nat(maxCount - 1), fc.constantFrom(...kinds))
    .map(([count, index, kind]) => ({ count, poisoned: index % count, kind }));
