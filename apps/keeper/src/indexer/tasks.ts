import type { Task } from '../runner/task.ts';
import { type FoldPostponedOptions, foldPostponedTask } from './foldPostponed.ts';
import { type IndexChainOptions, indexChainTask } from './indexChain.ts';
import { type VerifyChainOptions, verifyChainTask } from './verifyChain.ts';

export type IndexTaskOptions = IndexChainOptions & VerifyChainOptions & FoldPostponedOptions;

/** Build the tasks that copy the chain into the store, verify the copy and fold what was locked. */
export const indexTasks = (options: IndexTaskOptions): readonly Task[] => [
  indexChainTask(options),
  verifyChainTask(options),
  foldPostponedTask(options),
];
