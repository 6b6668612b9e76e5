/** Response of an address, or the reason why there is none. */
export interface Probe {
  /** HTTP status; null without a response. */
  readonly status: number | null;
  readonly body: unknown;
  readonly failure: string | null;
}

const timeoutMs = 5_000;

/** Request an address without throwing. A body that is not JSON is returned as text. */
export async function probe(url: URL | string, init: RequestInit = {}): Promise<Probe> {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    return { status: response.status, body: bodyOf(await response.text()), failure: null };
  } catch (cause) {
    return { status: null, body: null, failure: cause instanceof Error ? cause.message : String(cause) };
  }
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return text;
    throw cause;
  }
}

/** Call a JSON-RPC method and return its result; null when the response has none. */
export async function rpcResult(rpcUrl: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await probe(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return typeof answer.body === 'object' && answer.body !== null ? (Reflect.get(answer.body, 'result') ?? null) : null;
}
