import { setTimeout as delay } from 'node:timers/promises';
import type {
  ContractInfoWire,
  DraftQuoteWire,
  ListWire,
  MarketWire,
  PositionWire,
  QuoteRequestWire,
  QuoteWire,
  TokenWire,
} from '@core/wire';
import { z } from 'zod';
import type { StepPrinter } from '../stepPrinter.ts';

const refusalSchema = z.looseObject({ error: z.looseObject({ code: z.string(), message: z.string() }) });

/** A refusal or a failure that the service answered. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly status: number;
  readonly code: string;

  constructor(request: string, status: number, body: { readonly code: string; readonly message: string }) {
    super(`${request} answered ${status} ${body.code}: ${body.message}`);
    this.status = status;
    this.code = body.code;
  }
}

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly authorization: string | null;
  readonly body?: object;
  /** True to leave polling out of the output. */
  readonly isQuiet?: boolean;
}

const maxThrottleRetries = 8;

/** Client that uses the interface as the program of a partner does: HTTP, an API key, a token per wallet. */
export class ApiClient {
  readonly #apiUrl: string;
  readonly #apiKey: string;
  readonly #printer: StepPrinter;

  constructor(stack: { readonly apiUrl: string; readonly partner: { readonly apiKey: string } }, printer: StepPrinter) {
    this.#apiUrl = stack.apiUrl;
    this.#apiKey = `Api-Key ${stack.partner.apiKey}`;
    this.#printer = printer;
  }

  contractInfo(): Promise<ContractInfoWire> {
    return this.#call({ method: 'GET', path: '/contract-info', authorization: null });
  }

  async token(walletAddress: string): Promise<string> {
    const body = { wallet_address: walletAddress };
    const issued = await this.#call<TokenWire>({ method: 'POST', path: '/tokens', authorization: this.#apiKey, body });
    return `Bearer ${issued.token}`;
  }

  async markets(query: Readonly<Record<string, string>>): Promise<readonly MarketWire[]> {
    const path = `/markets?${new URLSearchParams(query)}`;
    return (await this.#call<ListWire<MarketWire>>({ method: 'GET', path, authorization: this.#apiKey })).data;
  }

  market(ticker: string, isQuiet = false): Promise<MarketWire> {
    const path = `/markets/${encodeURIComponent(ticker)}?expand=prices`;
    return this.#call({ method: 'GET', path, authorization: this.#apiKey, isQuiet });
  }

  draft(token: string, body: QuoteRequestWire): Promise<DraftQuoteWire> {
    return this.#call({ method: 'POST', path: '/draft-quotes?expand=max_gain', authorization: token, body });
  }

  async promote(token: string, draftId: string): Promise<QuoteWire> {
    return this.#call({ method: 'POST', path: `/promoted-quotes/${draftId}?expand=transaction`, authorization: token });
  }

  /** Return the position of a key with its unwinds, or null before the service has indexed it. */
  async positionOfKey(token: string, key: string): Promise<PositionWire | null> {
    const path = '/positions?limit=100&expand=unwinds';
    const list = await this.#call<ListWire<PositionWire>>({ method: 'GET', path, authorization: token, isQuiet: true });
    return list.data.find((position) => position.on_chain_position_key === key) ?? null;
  }

  async #call<Answer>(call: Call): Promise<Answer> {
    if (call.isQuiet !== true) this.#printer.line(`${call.method} ${call.path}${bodyText(call.body)}`);
    for (let attempt = 0; ; attempt++) {
      const response = await this.#send(call);
      if (response.status === 429 && attempt < maxThrottleRetries) {
        await response.arrayBuffer();
        await delay(Number(response.headers.get('retry-after') ?? '1') * 1_000);
        continue;
      }
      const body: unknown = await response.json();
      if (response.ok) return body as Answer;
      const { error } = refusalSchema.parse(body);
      throw new ApiRefusal(`${call.method} ${call.path}`, response.status, error);
    }
  }

  #send({ method, path, authorization, body }: Call): Promise<Response> {
    const headers = {
      ...(authorization !== null && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const init = { method, headers, redirect: 'error', signal: AbortSignal.timeout(20_000) } as const;
    return fetch(`${this.#apiUrl}${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) });
  }
}

function bodyText(body: object | undefined): string {
  return body === undefined ? '' : `  ${JSON.stringify(body)}`;
}
