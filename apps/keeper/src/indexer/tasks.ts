import type { Task } from '../runner/task.ts';
import { type FillWatch, measureFillsTask } from './fillWatch.ts';
import { type FoldPostponedOptions, foldPostponedTask } from './foldPostponed.ts';
import { type IndexChainOptions, indexChainTask } from './indexChain.ts';
import { type VerifyChainOptions, verifyChainTask } from './verifyChain.ts';

export type IndexTaskOptions = IndexChainOptions &
  VerifyChainOptions &
  FoldPostponedOptions & { readonly fills: FillWatch };

/** Build the tasks that copy the chain into the store, verify the copy, fold what was locked and read ended grants. */
export const indexTasks = (options: IndexTaskOptions): readonly Task[] => [
  indexChainTask(options),
  verifyChainTask(options),
  foldPostponedTask(options),
  measureFillsTask(options),
];
