export { type LocalWorld, localWorldOf, type ProgramEnvironment } from './localWorld.ts';
export {
  apiEnvironment,
  fillerEnvironment,
  keeperEnvironment,
  priceSignerEnvironment,
  venueEnvironment,
} from './programEnvironments.ts';
export { entryOf, spawnProgram } from './programs.ts';
export { venueKeysText } from './venueKeys.ts';
