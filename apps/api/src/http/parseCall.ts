import type { RouteDefinition } from '@core/wire';
import type { z } from 'zod';
import { invalidRequest, type Refusal } from './refusal.ts';

/** The three parsed parts of a request. */
export interface ParsedCall {
  readonly kind: 'parsed';
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Parses path, query and body of a request by the schemas of its route: wire → quantities, here and nowhere else. */
export function parseCall(
  route: RouteDefinition,
  raw: { readonly params: unknown; readonly query: unknown; readonly body: Buffer },
): ParsedCall | Refusal {
  const params = route.params.safeParse(raw.params);
  if (!params.success) return invalidRequest(sentenceOf(params.error));
  const query = route.query.safeParse(raw.query);
  if (!query.success) return invalidRequest(sentenceOf(query.error));
  if (route.body === null) return { kind: 'parsed', params: params.data, query: query.data, body: null };
  const json = readJson(raw.body);
  if (json.kind === 'malformed') return invalidRequest('body: must be JSON');
  const body = route.body.safeParse(json.value);
  if (!body.success) return invalidRequest(sentenceOf(body.error));
  return { kind: 'parsed', params: params.data, query: query.data, body: body.data };
}

function readJson(bytes: Buffer): { kind: 'json'; value: unknown } | { kind: 'malformed' } {
  const text = bytes.toString('utf8').trim();
  if (text === '') return { kind: 'json', value: undefined };
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch (cause) {
    if (cause instanceof SyntaxError) return { kind: 'malformed' };
    throw cause;
  }
}

/** "leverage_bps: must be a multiple of 2500": the first issue, by path and rule. */
function sentenceOf(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'request: is malformed';
  const path = issue.path.length === 0 ? 'request' : issue.path.map(String).join('.');
  return `${path}: ${issue.message.slice(0, 300)}`;
}
