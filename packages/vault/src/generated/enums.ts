// Written by contracts/tools/shared-facts/main.ts; do not edit.
export const PositionState = { None: 0, Pending: 1, Open: 2, Closed: 3, Settled: 4, Liquidated: 5, Cancelled: 6, Reverted: 7 } as const;
export type PositionState = (typeof PositionState)[keyof typeof PositionState];
export const positionStateNames = ['none', 'pending', 'open', 'closed', 'settled', 'liquidated', 'cancelled', 'reverted'] as const;

export const Purpose = { None: 0, Open: 1, Close: 2, Unwind: 3, Liquidate: 4 } as const;
export type Purpose = (typeof Purpose)[keyof typeof Purpose];
export const purposeNames = ['none', 'open', 'close', 'unwind', 'liquidate'] as const;

export const Role = { None: 0, Keeper: 1, PriceSigner: 2, Oracle: 3 } as const;
export type Role = (typeof Role)[keyof typeof Role];

export const Ledger = { ConditionalTokens: 0, PositionManager: 1 } as const;
export type Ledger = (typeof Ledger)[keyof typeof Ledger];

export const OrderSide = { Buy: 0, Sell: 1 } as const;
export type OrderSide = (typeof OrderSide)[keyof typeof OrderSide];

export const SignatureType = { Eoa: 0, Erc1271: 3 } as const;
export type SignatureType = (typeof SignatureType)[keyof typeof SignatureType];
