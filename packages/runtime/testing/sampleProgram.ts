import {
  awaitEnds,
  FriendlyError,
  httpNeighbour,
  pollRepeatedly,
  programEnvOf,
  programSettings,
  readEnvironment,
  required,
  runProgram,
  textOf,
} from '../src/index.ts';

/** A program that behaves as SAMPLE_MODE says; tests run it as a process of its own. */
await runProgram({
  name: 'sample',
  readEnv: (environment) => {
    const settings = { SAMPLE_MODE: required(textOf()), ...programSettings };
    const env = readEnvironment({ program: 'sample', settings, ownPrefixes: [] }, environment);
    return { mode: env.SAMPLE_MODE, ...programEnvOf(env) };
  },
  neighbours: ({ mode }) =>
    mode.startsWith('waits for ') ? [httpNeighbour('the venue', mode.slice('waits for '.length))] : [],
  closeLimitMs: ({ mode }) => (mode.endsWith('limited') ? 200 : 60_000),
  start: async ({ mode }, logger) => {
    const keepAlive = setInterval(() => undefined, 1_000);
    if (mode === 'refuses') throw new FriendlyError('Start the chain first.');
    if (mode === 'fails') throw new Error('no answer from https://user:hunter22@rpc.example');
    logger.info('starting');
    if (mode === 'starts for ever') await new Promise(() => undefined);
    if (mode === 'breaks') setTimeout(() => void Promise.reject(new Error('https://hunter22@rpc.example')), 1);
    const task = () => new Promise<void>(() => undefined);
    const hanging =
      mode === 'has a hanging task' ? pollRepeatedly({ task, intervalMs: 1, onFailure: () => undefined }) : null;
    logger.info('ready');
    return {
      close: async () => {
        logger.info('closing');
        if (mode === 'closes badly') throw new Error('no close');
        if (hanging !== null) await awaitEnds([['prices', hanging.stop()]], 200);
        if (mode.startsWith('closes for ever')) await new Promise(() => undefined);
        clearInterval(keepAlive);
      },
    };
  },
});
