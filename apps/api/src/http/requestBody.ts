import type { IncomingMessage } from 'node:http';
import type { ProcessLimits } from '../processLimits.ts';
import { invalidBody, invalidRequest, type Refusal } from './call.ts';

/** Time in which a body arrives that was sent together with its headers. */
const togetherMs = 25;

export type BodyLimits = Pick<ProcessLimits, 'bodyBytes' | 'bodyMs'>;

/** The body of one request on its way into memory. */
export class RequestBody {
  /** The bytes, or the reason why they are not accepted. Rejects when the client goes away. */
  readonly whole: Promise<Buffer | Refusal>;
  #isWhole = false;

  constructor(request: IncomingMessage, limits: BodyLimits) {
    this.whole = bodyOf(request, limits).finally(() => {
      this.#isWhole = true;
    });
    // A client that goes away is reported to the request that awaits the body, if there is one.
    this.whole.catch(() => undefined);
  }

  /** True when waiting for the body takes no time. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Wait for a body that was sent together with its headers. Returns early when it is there. */
  async settle(): Promise<void> {
    const waiting = Promise.withResolvers<void>();
    const timer = setTimeout(() => waiting.resolve(), togetherMs);
    await Promise.race([this.whole.catch(() => undefined), waiting.promise]);
    clearTimeout(timer);
  }
}

async function bodyOf(request: IncomingMessage, { bodyBytes, bodyMs }: BodyLimits): Promise<Buffer | Refusal> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    return invalidRequest('Content-Encoding', `${encoding.slice(0, 50)} is not accepted. Send the body uncompressed.`);
  }
  const declaredBytes = Number(request.headers['content-length'] ?? 0);
  if (declaredBytes > bodyBytes) return tooLarge(bodyBytes);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | Refusal>();
  const chunks: Buffer[] = [];
  let length = 0;
  const deadline = setTimeout(() => {
    request.pause();
    resolve(invalidBody(`did not arrive within ${bodyMs / 1_000} s. Send it together with the headers.`));
  }, bodyMs);
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= bodyBytes) {
      chunks.push(chunk);
      return;
    }
    request.pause();
    resolve(tooLarge(bodyBytes));
  });
  request.once('end', () => resolve(Buffer.concat(chunks)));
  request.once('error', reject);
  request.once('close', () => {
    if (!request.complete) reject(new Error('the client went away while its body was read'));
  });
  try {
    return await promise;
  } finally {
    clearTimeout(deadline);
  }
}

const tooLarge = (bodyBytes: number): Refusal => invalidBody(`has more than ${bodyBytes} bytes`);
