export { portLimits } from '../src/boundedServer.ts';
export { type FixedClock, fixedClock } from './fixedClock.ts';
export { FullDisk } from './fullDisk.ts';
export { keyFileOf } from './keyFile.ts';
