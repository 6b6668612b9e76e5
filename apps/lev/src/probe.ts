/** What an address answers. */
export interface Probe {
  /** Null when nothing answered. */
  readonly status: number | null;
  readonly body: unknown;
  readonly failure: string | null;
}

const patienceMs = 5_000;

/** Asks an address and never throws. A body that is no JSON is its text. */
export async function probe(url: URL | string, init: RequestInit = {}): Promise<Probe> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) });
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

/** The result of one JSON-RPC method; null when the node does not answer with one. */
export async function rpcResult(rpcUrl: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await probe(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return typeof answer.body === 'object' && answer.body !== null ? (Reflect.get(answer.body, 'result') ?? null) : null;
}
