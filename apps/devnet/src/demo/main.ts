import { runDemo } from './runDemo.ts';

process.exitCode = await runDemo(process.argv.slice(2));
