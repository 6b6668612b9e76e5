/** The two outcomes of a market. */
export const sides = ['yes', 'no'] as const;
export type Side = (typeof sides)[number];

/** How debt is lowered: as the policy sees fit, or along a ladder that was promised at the opening. */
export const riskModes = ['adaptive', 'committed'] as const;
export type RiskMode = (typeof riskModes)[number];
