import { enableCompileCache } from 'node:module';

// The compile cache brings the start of a command to a tenth of a second.
enableCompileCache();
const { processHost } = await import('./processHost.ts');
const { runLev } = await import('./runLev.ts');
process.exitCode = await runLev(process.argv.slice(2), processHost());
