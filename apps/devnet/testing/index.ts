export { RunningStack } from './runningStack.ts';
