import { configureGlobal } from 'fast-check';

/**
 * Seed of all property tests: one number for `test`, so that a run repeats another. `PROPERTY_SEED=<number>` repeats a
 * reported failure, and `PROPERTY_SEED=random` searches further.
 */
const seed = process.env['PROPERTY_SEED'] ?? '20261126';
configureGlobal(seed === 'random' ? {} : { seed: Number(seed) });
