export { type FixedClock, fixedClock } from './fixedClock.ts';
