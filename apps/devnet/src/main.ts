import { runStack } from './runStack.ts';

process.exitCode = await runStack(process.env);
