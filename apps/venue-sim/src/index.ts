export type { MarketDraft } from './catalogue/marketDefinition.ts';
export { optionsFromEnv } from './env.ts';
export { startVenueSim, type VenueSim, type VenueSimOptions } from './startVenueSim.ts';
