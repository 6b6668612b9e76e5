/** What a live order is for; the numbers are the contract's. */
export const Purpose = { None: 0, Open: 1, Close: 2, Unwind: 3, Liquidate: 4 } as const;
export type Purpose = (typeof Purpose)[keyof typeof Purpose];

/** Life of a position; the numbers are the contract's. */
export const PositionState = {
  None: 0,
  Pending: 1,
  Open: 2,
  Closed: 3,
  Settled: 4,
  Liquidated: 5,
  Cancelled: 6,
  Reverted: 7,
} as const;
export type PositionState = (typeof PositionState)[keyof typeof PositionState];
