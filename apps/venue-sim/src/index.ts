export { startVenueSim, type VenueSim } from './startVenueSim.ts';
