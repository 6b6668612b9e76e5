import { runReset } from './runReset.ts';

process.exitCode = await runReset(process.env);
