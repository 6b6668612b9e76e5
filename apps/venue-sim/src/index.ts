export type { MarketDraft } from './catalogue/marketDefinition.ts';
export { startVenueSim, type VenueSim, type VenueSimOptions } from './startVenueSim.ts';
