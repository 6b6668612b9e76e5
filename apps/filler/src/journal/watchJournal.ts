import type { Logger } from '@core/runtime';
import type { FillerMetrics } from '../http/fillerMetrics.ts';
import type { Journal } from './journal.ts';

/** Return a check of the disk of a journal: true when it takes lines. A change is logged. */
export function watchJournal(journal: Journal, logger: Logger, metrics: FillerMetrics): () => boolean {
  let isWritable = true;
  return () => {
    const before = isWritable;
    const problem = journal.retry();
    isWritable = problem === null;
    metrics.isUnwritable.set(isWritable ? 0 : 1);
    if (isWritable && !before) logger.info('the journal is written again');
    if (!isWritable && before) logger.error({ problem }, 'the journal cannot be written: nothing new is filled');
    return isWritable;
  };
}
