import { enableCompileCache } from 'node:module';

// What was compiled once is not compiled again: a command is there in a tenth of a second.
enableCompileCache();
const { runLev } = await import('./runLev.ts');
process.exitCode = await runLev(process.argv.slice(2), {
  environment: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
