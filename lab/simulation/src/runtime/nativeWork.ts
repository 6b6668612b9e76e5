import { type AsyncHook, createHook } from 'node:async_hooks';
import { createRequire } from 'node:module';
import type { NativeWork } from './scheduler.ts';

const require = createRequire(import.meta.url);
type Done = (...results: unknown[]) => void;

/** Requests that threads of the runtime answer: files, names, randomness, hashes. */
const requestTypes = /^(FSREQ|FILEHANDLECLOSEREQ|GETADDRINFO|GETNAMEINFO|RANDOMBYTES|[A-Z0-9]*JOB$)/;

/**
 * Counts what threads of the runtime owe. Order among them is that of their requests as long as the pool has one thread
 * (`UV_THREADPOOL_SIZE=1`), which `install` demands.
 */
export class ThreadWork implements NativeWork {
  readonly #requests = new Map<number, string>();
  #counted = 0;

  get shown(): string {
    return [...this.#requests.values(), ...(this.#counted > 0 ? [`${this.#counted} counted jobs`] : [])].join(', ');
  }

  get isPending(): boolean {
    if (this.#counted > 0) return true;
    if (this.#requests.size === 0) return false;
    this.#forgetEnded();
    return this.#requests.size > 0;
  }

  /** Some kinds never report their end: what the runtime lists no more is over. */
  #forgetEnded(): void {
    const active = process.getActiveResourcesInfo().map((name) => name.toUpperCase());
    for (const [id, type] of this.#requests) {
      if (!type.endsWith('JOB') && !active.some((name) => type.endsWith(name))) this.#requests.delete(id);
    }
  }

  /** Count a promise of a thread until it is settled. */
  async counted<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#counted += 1;
    try {
      return await work();
    } finally {
      this.#counted -= 1;
    }
  }

  /** Begin to count the threads of the process. */
  install(): void {
    if (process.env['UV_THREADPOOL_SIZE'] !== '1') {
      throw new Error('a simulation needs UV_THREADPOOL_SIZE=1: more threads answer in any order');
    }
    this.#hook().enable();
    this.#countWebCrypto();
    this.#countZlib();
    this.#countWebAssembly();
  }

  #hook(): AsyncHook {
    const hooks = {
      trackPromises: false,
      init: (id: number, type: string) => {
        if (requestTypes.test(type)) this.#requests.set(id, type);
      },
      before: (id: number) => void this.#requests.delete(id),
      destroy: (id: number) => void this.#requests.delete(id),
    };
    return createHook(hooks);
  }

  #countWebCrypto(): void {
    const { subtle }: { readonly subtle: Record<string, (...args: unknown[]) => Promise<unknown>> } =
      require('node:crypto').webcrypto;
    for (const name of [
      'digest',
      'sign',
      'verify',
      'importKey',
      'exportKey',
      'generateKey',
      'encrypt',
      'decrypt',
      'deriveBits',
      'deriveKey',
    ]) {
      const original = subtle[name]?.bind(subtle);
      if (original === undefined) continue;
      const value = (...args: unknown[]): Promise<unknown> => this.counted(() => original(...args));
      Object.defineProperty(subtle, name, { configurable: true, value });
    }
  }

  /** Whole texts are packed at once; streams, such as answers that `fetch` unpacks, are counted piece by piece. */
  #countZlib(): void {
    const zlib = require('node:zlib');
    for (const name of ['gzip', 'gunzip', 'deflate', 'inflate', 'brotliCompress', 'brotliDecompress']) {
      const sync = zlib[`${name}Sync`];
      zlib[name] = (input: Buffer, ...rest: readonly [Done] | readonly [object, Done]) => {
        const [options, done] = rest.length === 1 ? [undefined, rest[0]] : rest;
        let result: unknown;
        try {
          result = sync(input, options);
        } catch (error) {
          process.nextTick(done, error);
          return;
        }
        process.nextTick(done, null, result);
      };
    }
    let base = zlib.Gunzip.prototype;
    while (!Object.hasOwn(base, '_transform')) base = Object.getPrototypeOf(base);
    for (const name of ['_transform', '_flush']) this.#countSteps(base, name);
  }

  #countSteps(prototype: Record<string, (...args: unknown[]) => unknown>, name: string): void {
    const original = prototype[name];
    if (original === undefined) throw new Error(`zlib streams have no ${name}`);
    const begin = (): (() => void) => {
      let isOver = false;
      this.#counted += 1;
      return () => {
        if (!isOver) this.#counted -= 1;
        isOver = true;
      };
    };
    prototype[name] = function counting(this: NodeJS.ReadableStream, ...args: unknown[]): unknown {
      const callback = args.pop();
      const end = begin();
      this.once('close', end);
      return original.call(this, ...args, (...results: unknown[]) => {
        end();
        this.removeListener('close', end);
        if (typeof callback === 'function') callback(...results);
      });
    };
  }

  #countWebAssembly(): void {
    const { compile, instantiate } = WebAssembly;
    Object.assign(WebAssembly, {
      compile: (...args: Parameters<typeof compile>) => this.counted(() => compile(...args)),
      instantiate: (...args: Parameters<typeof instantiate>) => this.counted(() => instantiate(...args)),
    });
  }
}
