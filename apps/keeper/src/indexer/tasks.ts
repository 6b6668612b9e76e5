import type { Task } from '../runner/task.ts';
import { type IndexChainOptions, indexChainTask } from './indexChain.ts';
import { type VerifyChainOptions, verifyChainTask } from './verifyChain.ts';

export type IndexTaskOptions = IndexChainOptions & VerifyChainOptions;

/** Build the tasks that copy the chain into the store and verify the copy. */
export const indexTasks = (options: IndexTaskOptions): readonly Task[] => [
  indexChainTask(options),
  verifyChainTask(options),
];
