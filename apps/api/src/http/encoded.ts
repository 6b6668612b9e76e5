import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Exchange } from './served.ts';

/** Encodings of answers, the preferred one first. */
const encodings = ['br', 'gzip'] as const;
type Encoding = (typeof encodings)[number];

/** Shorter bodies gain nothing: they fit into one packet as they are. */
const minimumBytes = 1_024;
/** Of eleven levels; the higher ones take many times longer for a few percent. */
const brotliQuality = 4;

const compress: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: promisify(gzip),
};

/** Encoded forms of bodies that are sent more than once, for as long as the body itself is kept. */
const cache = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>();

/** A body in the encoding that the client prefers, with the tag of that form. */
export interface EncodedBody {
  readonly bytes: Buffer;
  readonly etag: string;
}

/**
 * Encode a body for the client that asked, once for all clients that get the same bytes. Sets `Content-Encoding` and
 * `Vary`.
 * @param etag strong tag of the plain body; each encoded form has its own, as strong tags have to.
 */
export async function encodedFor({ request, response }: Exchange, { bytes, etag }: EncodedBody): Promise<EncodedBody> {
  response.vary('Accept-Encoding');
  const isLong = bytes.length >= minimumBytes;
  const encoding = isLong ? encodings.find((name) => request.acceptsEncodings(name) === name) : undefined;
  if (encoding === undefined) return { bytes, etag };
  response.setHeader('Content-Encoding', encoding);
  const forms = cache.get(bytes) ?? new Map<Encoding, Promise<Buffer>>();
  const form = forms.get(encoding) ?? compress[encoding](bytes);
  cache.set(bytes, forms.set(encoding, form));
  return { bytes: await form, etag: etag.replace(/"$/, `-${encoding}"`) };
}

/** True when a client says that it has the body already, in whichever encoding. */
export function isKnownToClient({ request }: Exchange, etag: string): boolean {
  const tags = request.get('if-none-match')?.split(',') ?? [];
  const plainOf = (tag: string): string =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/-(?:br|gzip)"$/, '"');
  return tags.some((tag) => tag.trim() === '*' || plainOf(tag) === etag);
}
