import type { IncomingMessage } from 'node:http';

/** Largest request body, in bytes; every documented body is far smaller. */
export const maxBodyBytes = 65_536;

/** The bytes of a body, or why they are not read. */
export type RequestBody =
  | { readonly kind: 'body'; readonly bytes: Buffer }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'encoded' };

/** Reads the whole body as bytes. One that is too large is not read on. */
export async function readBody(request: IncomingMessage): Promise<RequestBody> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return { kind: 'encoded' };
  const declaredBytes = Number(request.headers['content-length'] ?? 0);
  if (declaredBytes > maxBodyBytes) return { kind: 'too_large' };
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    length += chunk.length;
    if (length > maxBodyBytes) return { kind: 'too_large' };
    chunks.push(chunk);
  }
  return { kind: 'body', bytes: Buffer.concat(chunks) };
}
