import { runPairFiller } from './pairFiller.ts';
import { readSettings } from './settings.ts';

const end = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
await runPairFiller(readSettings(process.env), end.signal);
