export type { ReplaySettings } from './replay/replayDraft.ts';
export { scenarios } from './scenario/playScenario.ts';
export type { ChainContracts } from './settle/chainSettlement.ts';
export { movableClock, type SimClock } from './simClock.ts';
export { startVenueSim, type VenueSim, type VenueSimOptions } from './startVenueSim.ts';
