import { programSettings } from './programSettings.ts';

const inheritedNames = [
  'PATH',
  'NODE_COMPILE_CACHE',
  'HOME',
  'TMPDIR',
  'LANG',
  'USER',
  'LOGNAME',
  'SHELL',
  'TZ',
  ...Object.keys(programSettings),
  'NODE_OPTIONS',
];

/**
 * Return the part of the environment that a child program needs: nothing that the shell has for other programs, such as
 * `PGSSLMODE`, and nothing that configures another stack.
 */
export function inheritedEnvironment(): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const name of inheritedNames) {
    const value = globalThis.process.env[name];
    if (value !== undefined) variables[name] = value;
  }
  return variables;
}
