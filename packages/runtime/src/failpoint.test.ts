import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { oneOf } from './codecs.ts';
import { armedFailpointOf, failpointAt, failpointSettings } from './failpoint.ts';
import { readEnvironment } from './readEnvironment.ts';

const names = ['after_reserve', 'before_answer'] as const;
const definition = { program: 'sample', settings: failpointSettings(oneOf(names)), ownPrefixes: [] };
const armedIn = (environment: Record<string, string>) => armedFailpointOf(readEnvironment(definition, environment));

test.each([
  [{ NODE_ENV: 'test', FAILPOINT: 'after_reserve' }, 'after_reserve'],
  [{ NODE_ENV: 'test' }, null],
  [{ NODE_ENV: 'test', FAILPOINT: '' }, null],
  [{ NODE_ENV: 'production', FAILPOINT: 'after_reserve' }, null],
  [{ FAILPOINT: 'after_reserve' }, null],
])('%j arms %s', (environment, armed) => {
  expect(armedIn(environment as Record<string, string>)).toBe(armed);
});

test('a name that is no failpoint is refused', () => {
  expect(() => armedIn({ NODE_ENV: 'test', FAILPOINT: 'somewhere' })).toThrow(/FAILPOINT must be after_reserve/);
});

test('a moment that is not the armed one does nothing', () => {
  for (const name of names) {
    expect(() => failpointAt(null)(name)).not.toThrow();
  }
  expect(() => failpointAt<string>('after_reserve')('before_answer')).not.toThrow();
});

test('the armed moment ends the process without a handler', () => {
  const module = JSON.stringify(new URL('failpoint.ts', import.meta.url).href);
  const program = `import { failpointAt } from ${module};
    process.on('exit', () => console.log('a handler ran'));
    failpointAt('after_sign')('after_intent');
    console.log('alive');
    failpointAt('after_sign')('after_sign');
    setInterval(() => {}, 1000);`;
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect([ended.signal, ended.stdout]).toEqual(['SIGKILL', 'alive\n']);
});
