import { createHash } from 'node:crypto';

/** An answer whose bytes are ready: JSON, and the tag under which a client may keep it. */
export interface PageBytes {
  readonly kind: 'bytes';
  readonly bytes: Buffer;
  /** Strong: two processes that show the same give it the same tag. */
  readonly etag: string;
}

export function pageBytesOf(json: string): PageBytes {
  const bytes = Buffer.from(json);
  return { kind: 'bytes', bytes, etag: `"${createHash('sha1').update(bytes).digest('base64url')}"` };
}

/** Capacity of the cache in bytes: many small pages, or few large ones. */
const defaultMaxBytes = 32 * 1024 * 1024;
/** Overhead of a page besides its bytes. */
const entryBytes = 1_024;

interface Entry {
  /** Start of the build, then its end: a slow page is served as long as a fast one. */
  builtAt: number;
  readonly page: Promise<object>;
  /** A page that takes longer than its own age allows is waited for all the same: two would take longer still. */
  isBuilt: boolean;
  byteCount: number;
}

/**
 * Answers by what was asked, for a moment: who asks at the same time waits for one build and gets the same bytes. What
 * is too old is forgotten, and of the rest the oldest when all of it takes too much room.
 */
export class PageCache {
  readonly #maxAgeMs: number;
  readonly #maxBytes: number;
  /** In the order in which they were built. */
  readonly #pages = new Map<string, Entry>();
  #byteCount = 0;

  constructor(maxAgeMs: number, maxBytes = defaultMaxBytes) {
    this.#maxAgeMs = maxAgeMs;
    this.#maxBytes = maxBytes;
  }

  async get<Page extends object>(key: string, build: () => Promise<Page>): Promise<Page> {
    const now = performance.now();
    const cached = this.#pages.get(key);
    // The key determines the type of its page.
    const isGood = cached !== undefined && (!cached.isBuilt || now - cached.builtAt < this.#maxAgeMs);
    if (isGood) return cached.page as Promise<Page>;
    const page = build();
    const entry = { builtAt: now, page, isBuilt: false, byteCount: 0 };
    this.#forget(key);
    this.#pages.set(key, entry);
    this.#grow(entry, entryBytes + 2 * key.length);
    void this.#weigh(key, entry);
    return page;
  }

  /** A failure is thrown to those who wait for it and not kept for the next. */
  async #weigh(key: string, entry: Entry): Promise<void> {
    const [built] = await Promise.allSettled([entry.page]);
    entry.isBuilt = true;
    entry.builtAt = performance.now();
    if (this.#pages.get(key) !== entry) return;
    if (built.status === 'fulfilled') this.#grow(entry, bytesOf(built.value));
    else this.#forget(key);
  }

  #grow(entry: Entry, byteCount: number): void {
    entry.byteCount += byteCount;
    this.#byteCount += byteCount;
    const freshFrom = performance.now() - this.#maxAgeMs;
    for (const [key, { builtAt, isBuilt }] of this.#pages) {
      if (this.#byteCount <= this.#maxBytes && (builtAt > freshFrom || !isBuilt)) return;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    this.#byteCount -= this.#pages.get(key)?.byteCount ?? 0;
    this.#pages.delete(key);
  }
}

function bytesOf(page: object): number {
  return 'bytes' in page && Buffer.isBuffer(page.bytes) ? page.bytes.length : 0;
}
