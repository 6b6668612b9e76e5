/** The two outcomes of a market. */
export const sides = ['yes', 'no'] as const;
export type Side = (typeof sides)[number];

/** Modes of lowering debt: as the policy decides, or along a ladder that was promised at the opening. */
export const riskModes = ['adaptive', 'committed'] as const;
export type RiskMode = (typeof riskModes)[number];

/** Ways of an order to its counterparty: an order at the venue, or a grant that anyone may fill. */
export const routeNames = ['direct', 'fill'] as const;
export type Route = (typeof routeNames)[number];
