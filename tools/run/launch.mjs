/**
 * Starts a program of this repository: installs what the program needs, then runs it on Node 24.
 *
 *     node tools/run/launch.mjs <start|all> <file> [arguments of the program]
 *
 * `start` stands for the packages of the local stack and its command line, without browsers, compilers, linters and test
 * tools; `all` for everything. Written for every Node from 18 on and without a package: it runs before any is installed.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as module from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const modules = path.join(root, 'node_modules');
const stampFile = path.join(modules, '.launch.json');
/** Folder of a Node without the other development packages. */
const nodeFolder = path.join(modules, '.node');
const neededNodeMajor = 24;
const longestTailLines = 30;
const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const textOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
const hashOf = (...names) => {
  const hash = createHash('sha256');
  for (const name of names) hash.update(textOf(path.join(root, name)));
  return hash.digest('hex');
};

/** Return the folder of the installed Node, or null. */
const installedNode = () =>
  [path.join(modules, '.bin'), path.join(nodeFolder, 'node_modules', '.bin')].find((folder) =>
    existsSync(path.join(folder, 'node')),
  ) ?? null;

/** Return true when development packages are installed, which an installation for a start would remove. */
const hasAll = () => /"devDependencies": true/.test(textOf(path.join(modules, '.modules.yaml')));

/** Return the pnpm that runs this script; null without one, or when it is too old for the lockfile. */
function callingPnpm() {
  const [, manager, major] = /^(\w+)\/(\d+)/.exec(process.env.npm_config_user_agent ?? '') ?? [];
  const program = process.env.npm_execpath ?? '';
  if (manager !== 'pnpm' || Number(major) < 12 || program === '') return null;
  return /\.[cm]?js$/.test(program) ? [process.execPath, program] : [program];
}

/** Run pnpm and resolve with output and exit code. */
function runPnpm(args, onOutput) {
  const [command, ...before] = callingPnpm() ?? ['npx', '-y', 'pnpm@12'];
  const folder = installedNode();
  const env = folder === null ? process.env : { ...process.env, PATH: `${folder}${path.delimiter}${process.env.PATH}` };
  const child = spawn(command, [...before, ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  // An installation ends with its start.
  for (const signal of endSignals) {
    process.once(signal, () => {
      child.kill(signal);
      process.exit(1);
    });
  }
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
      onOutput(output);
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Run commands of pnpm in parallel as one phase, with a line about time and progress. */
async function phase(name, commands) {
  const startedMs = Date.now();
  let progress = '';
  const { isTTY } = process.stderr;
  const say = (mark, text, end = '\n') => {
    const seconds = ((Date.now() - startedMs) / 1_000).toFixed(1);
    const line = `  ${mark} ${name.padEnd(16)} ${seconds.padStart(5)} s  ${text}`.trimEnd();
    process.stderr.write(`${isTTY ? '\r\u001b[2K' : ''}${line}${end}`);
  };
  const timer = setInterval(() => say('·', progress, isTTY ? '' : '\n'), isTTY ? 200 : 5_000);
  const onOutput = (output) => {
    const counts = [...output.matchAll(/resolved (\d+), reused (\d+), downloaded (\d+)/g)].at(-1);
    if (counts === undefined) return;
    const [, all, reused, downloaded] = counts.map(Number);
    if (all > 1) progress = `${reused + downloaded} of ${all} packages`;
  };
  const ended = await Promise.all(commands.map((command) => runPnpm(command, onOutput)));
  clearInterval(timer);
  const failure = ended.find(({ code }) => code !== 0);
  if (failure !== undefined) {
    say('✖', 'failed:');
    process.stderr.write(`${failure.output.trimEnd().split('\n').slice(-longestTailLines).join('\n')}\n`);
    process.exit(1);
  }
  // A check that found everything in place is no phase of a start.
  if (!ended.every(({ output }) => output.includes('Already up to date'))) say('✔', progress);
  else if (isTTY) process.stderr.write('\r\u001b[2K');
}

/** Install the packages of a start, and Node where this one is too old. */
async function installForStart() {
  // Decision: tools/DECISIONS.md#a-start-installs-a-third-of-the-packages
  const options = '--prod --frozen-lockfile --trust-lockfile'.split(' ');
  const selected = ['@core/devnet...', '@core/lev...'].flatMap((selector) => ['--filter', selector]);
  const commands = [['install', ...options, ...selected]];
  if (Number(process.versions.node.split('.')[0]) < neededNodeMajor && installedNode() === null) {
    const [, version] = /^nodeVersion: (\S+)$/m.exec(textOf(path.join(root, 'pnpm-workspace.yaml'))) ?? [];
    const { platform, arch } = process;
    const system = platform === 'win32' ? 'win' : platform;
    const name = platform === 'darwin' && arch === 'arm64' ? `node-bin-${system}-${arch}` : `node-${system}-${arch}`;
    mkdirSync(nodeFolder, { recursive: true });
    writeFileSync(path.join(nodeFolder, 'package.json'), '{ "private": true }\n');
    commands.push(['add', '--dir', nodeFolder, '--ignore-workspace', `${name}@${version}`]);
  }
  await phase('Packages', commands);
}

async function install(needs) {
  const stamp = JSON.parse(textOf(stampFile) || '{}');
  const packages = hashOf('pnpm-lock.yaml', 'pnpm-workspace.yaml');
  const schema = hashOf('packages/store/prisma/schema.prisma', 'packages/store/package.json');
  // pnpm compares everything in a moment. Where another program starts this one, the installation is trusted.
  if (hasAll()) await (callingPnpm() && phase('Packages', [['install']]));
  else if (needs === 'all') await phase('Packages', [['install']]);
  else if (stamp.packages !== packages) await installForStart();
  const isGenerated = existsSync(path.join(root, 'packages/store/src/generated/prisma/client.ts'));
  if (!isGenerated || stamp.schema !== schema) {
    await phase('Database client', [['--filter', '@core/store', 'run', 'gen']]);
  }
  writeFileSync(stampFile, JSON.stringify({ packages, schema }));
}

/** Run the program in this process if possible, else in the installed Node. */
async function run(file, args) {
  for (const signal of endSignals) process.removeAllListeners(signal);
  // Most of the start of a program is compilation, which a cache saves here and in all programs that this one starts.
  process.env.NODE_COMPILE_CACHE ??= path.join(modules, '.cache', 'node-compile');
  if (Number(process.versions.node.split('.')[0]) >= neededNodeMajor) {
    module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
    process.argv.splice(1, process.argv.length - 1, file, ...args);
    await import(pathToFileURL(file).href);
    return;
  }
  const folder = installedNode() ?? '';
  const env = { ...process.env, PATH: `${folder}${path.delimiter}${process.env.PATH}` };
  const child = spawn(path.join(folder, 'node'), [file, ...args], { env, stdio: 'inherit' });
  for (const signal of endSignals) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    process.stderr.write(`  ✖ Node ${neededNodeMajor} does not start: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
}

const [needs, file, ...args] = process.argv.slice(2);
await install(needs);
await run(path.resolve(root, file), args);
