import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Agent, request } from 'undici';

export interface HttpQuestion {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From the first byte sent to the last one received, in milliseconds. */
  readonly timeoutMs: number;
}

/** Complete answer, of any status. */
export interface HttpAnswer {
  readonly status: number;
  /** Of a header by its name in lower case; null when there is none. */
  readonly header: (name: string) => string | null;
  readonly text: string;
}

/** A page of the venue's catalogue takes three million; more than this is no answer of anyone we ask. */
const maxAnswerBytes = 64_000_000;
const agent = new Agent({ maxResponseSize: maxAnswerBytes });
const decompress = promisify(gunzip);

/**
 * Send one HTTP request and return its complete answer, on connections that stay open. For requests many times a
 * second: `fetch` takes four times the processor for the same, much of it for streams that are not read piece by piece.
 * Redirections are not followed: their text is a sentence that names the target.
 * @throws an Error with the code of the network, or with the name `TimeoutError`, when the answer is incomplete.
 */
export async function httpExchange({ timeoutMs, ...question }: HttpQuestion): Promise<HttpAnswer> {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError'));
  }, timeoutMs);
  try {
    const { url, method, headers = {}, body = null } = question;
    const response = await request(url, { method, headers, body, dispatcher: agent, signal: controller.signal });
    const header = (name: string): string | null => {
      const value = response.headers[name];
      return (Array.isArray(value) ? value[0] : value) ?? null;
    };
    const received =
      header('content-encoding') === 'gzip' ? await unpackedTextOf(response) : await response.body.text();
    const status = response.statusCode;
    const target = status >= 300 && status < 400 ? header('location') : null;
    const text = target === null ? received : `redirects to ${target}: set the address of the service itself`;
    return { status, header, text };
  } finally {
    clearTimeout(timer);
  }
}

async function unpackedTextOf({ body }: Awaited<ReturnType<typeof request>>): Promise<string> {
  const unpacked = await decompress(await body.bytes(), { maxOutputLength: maxAnswerBytes });
  return unpacked.toString('utf8');
}
