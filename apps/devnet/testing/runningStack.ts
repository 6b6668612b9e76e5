import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isAlive } from '@core/store';
import { steadyTimeOfDay } from '@core/testkit';
import { type StackFile, stackFileSchema } from '../src/stack/state/stackFile.ts';

const run = promisify(execFile);
const entry = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const resetMain = fileURLToPath(new URL('../src/reset/main.ts', import.meta.url));

/** Limit of a hanging test: tests of other packages may use the cores. */
export const startTimeoutMs = 600_000;

export interface Ended {
  readonly code: number | string | null;
  readonly output: string;
}

/** One state folder and the runners that a test starts and kills on it. */
export class RunningStack {
  readonly stateDir = mkdtempSync(path.join(tmpdir(), 'stack-'));
  readonly portBase = 12_000 + (process.pid % 400) * 10;
  /** Further variables of the runner. */
  readonly #variables: Readonly<Record<string, string>>;
  /** Every observed process: none may be left at the end. */
  readonly #seenPids = new Set<number>();
  #runner: ChildProcess | null = null;
  /** Output of the last runner. */
  output = '';

  constructor(variables: Readonly<Record<string, string>> = {}) {
    this.#variables = variables;
  }

  /** Start a runner and wait for its stack file, different from an earlier one. */
  async start(given: readonly string[] = []): Promise<StackFile> {
    const earlier = this.#twin();
    this.launch(given);
    const endMs = Date.now() + startTimeoutMs;
    while (this.#twin() === null || this.#twin() === earlier) {
      if (this.#runner?.exitCode !== null || Date.now() > endMs) {
        throw new Error(`the stack did not start:\n${this.output}`);
      }
      await delay(100);
    }
    return this.file();
  }

  /** Start a runner without waiting for it. */
  launch(given: readonly string[] = []): void {
    this.output = '';
    const runner = spawn(process.execPath, [entry, ...given], { env: this.#environment(), stdio: 'pipe' });
    this.#runner = runner;
    for (const stream of [runner.stdout, runner.stderr]) {
      stream.on('data', (text) => {
        this.output += String(text);
      });
    }
  }

  file(): StackFile {
    const file = stackFileSchema.parse(JSON.parse(readFileSync(this.path('stack.json'), 'utf8')));
    for (const pid of Object.values(file.processes)) this.#seenPids.add(pid);
    return file;
  }

  path(...names: readonly string[]): string {
    return path.join(this.stateDir, ...names);
  }

  /** Wait until the runner has printed a text. */
  async untilPrinted(text: string): Promise<void> {
    const endMs = Date.now() + startTimeoutMs;
    while (!this.output.includes(text)) {
      if (Date.now() > endMs) throw new Error(`"${text}" was not printed:\n${this.output}`);
      await delay(50);
    }
  }

  /** Kill the runner alone, without time to stop its programs. */
  async killRunner(): Promise<void> {
    this.#runner?.kill('SIGKILL');
    await this.#exit();
  }

  /** Pause the runner: nothing is restarted until it continues. */
  pauseRunner(): void {
    this.#runner?.kill('SIGSTOP');
  }

  resumeRunner(): void {
    this.#runner?.kill('SIGCONT');
  }

  /** Kill every process of the stack at once, as a power cut would, including servers of its programs. */
  async killEverything(): Promise<void> {
    const recorded = JSON.parse(readFileSync(this.path('run.json'), 'utf8')) as {
      readonly children: Readonly<Record<string, { readonly pid: number }>>;
    };
    const pids = Object.values(recorded.children).map(({ pid }) => pid);
    const servers = [this.nodePid(), this.postmasterPid()].filter((pid) => pid !== null);
    for (const pid of [this.#runner?.pid ?? 0, ...pids, ...servers]) {
      this.#seenPids.add(pid);
      if (pid > 1 && isAlive(pid)) process.kill(pid, 'SIGKILL');
    }
    await this.#exit();
  }

  /** Process id of the chain's node. */
  nodePid(): number | null {
    const file = this.path('chain.node.json');
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { readonly pid: number }).pid : null;
  }

  /** Process id of the database server. */
  postmasterPid(): number | null {
    const folder = this.databaseFolder();
    const file = folder === null ? '' : path.join(folder, 'postmaster.pid');
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : null;
  }

  /** Data folder of the server; under root it may be outside the state folder. */
  databaseFolder(): string | null {
    const marker = this.path('pg', 'location');
    if (existsSync(marker)) return readFileSync(marker, 'utf8');
    return existsSync(this.path('pg')) ? this.path('pg') : null;
  }

  /** Ask the runner to stop. */
  async stop(): Promise<Ended> {
    this.resumeRunner();
    this.#runner?.kill('SIGTERM');
    return { code: await this.#exit(), output: this.output };
  }

  async reset(): Promise<Ended> {
    const { stdout, stderr } = await run(process.execPath, [resetMain], { env: this.#environment() });
    return { code: 0, output: stdout + stderr };
  }

  /** Return the observed processes that still run after a while. */
  async leftovers(milliseconds: number): Promise<readonly string[]> {
    const endMs = Date.now() + milliseconds;
    for (;;) {
      const { stdout } = await run('ps', ['-eo', 'pid=,args=']);
      const lines = stdout.split('\n').filter((line) => {
        const [pid] = line.trim().split(' ');
        return this.#seenPids.has(Number(pid)) || line.includes(this.stateDir) || this.#isServer(line);
      });
      if (lines.length === 0 || Date.now() > endMs) return lines;
      await delay(100);
    }
  }

  /** Stop everything and delete the folder. */
  async remove(): Promise<void> {
    if (this.#runner !== null && this.#runner.exitCode === null && this.#runner.signalCode === null) await this.stop();
    await this.reset();
    rmSync(this.stateDir, { recursive: true, force: true });
  }

  #isServer(line: string): boolean {
    const folder = this.databaseFolder();
    return folder !== null && line.includes(`-D ${folder}`);
  }

  #twin(): string | null {
    return existsSync(this.path('stack.json')) ? readFileSync(this.path('stack.json'), 'utf8') : null;
  }

  #environment(): NodeJS.ProcessEnv {
    const places = { LEV_STATE_DIR: this.stateDir, LEV_PORT_BASE: String(this.portBase) };
    return { ...process.env, LEV_START_TIME: steadyTimeOfDay, ...this.#variables, ...places };
  }

  #exit(): Promise<number | string | null> {
    const child = this.#runner;
    if (child === null) return Promise.resolve(null);
    if (child.exitCode !== null || child.signalCode !== null)
      return Promise.resolve(child.exitCode ?? child.signalCode);
    return new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  }
}
