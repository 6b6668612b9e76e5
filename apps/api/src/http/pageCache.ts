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

/** Pages a process remembers: what its clients ask for again and again, not what a crawler asks for once. */
const maxPages = 500;

/** Answers by what was asked, for a moment: who asks at the same time waits for one build and gets the same bytes. */
export class PageCache {
  readonly #maxAgeMs: number;
  readonly #pages = new Map<string, { readonly builtAt: number; readonly page: Promise<unknown> }>();

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  async get<Page>(key: string, build: () => Promise<Page>): Promise<Page> {
    const now = performance.now();
    const known = this.#pages.get(key);
    // The key says what was asked, so what is kept under it is such a page.
    if (known !== undefined && now - known.builtAt < this.#maxAgeMs) return known.page as Promise<Page>;
    const page = build();
    this.#pages.delete(key);
    const [oldest] = this.#pages.size >= maxPages ? this.#pages.keys() : [];
    if (oldest !== undefined) this.#pages.delete(oldest);
    this.#pages.set(key, { builtAt: now, page });
    // A failure is thrown to those who wait for it and not kept for the next.
    page.catch(() => this.#pages.delete(key));
    return page;
  }
}
