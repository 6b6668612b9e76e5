import { runStack } from './runStack.ts';

process.exitCode = await runStack(process.argv.slice(2), process.env);
