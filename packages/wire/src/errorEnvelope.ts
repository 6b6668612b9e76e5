import {
  type ErrorCode,
  type ErrorDefinition,
  errorCodes,
  errorTable,
  type ParamKind,
  type Rejection,
} from '@core/errors';
import { z } from 'zod';

/** Error envelope (specification, Errors). */
export const errorEnvelopeSchema = z
  .object({
    error: z.object({
      type: z.enum(['INVALID_REQUEST_ERROR', 'AUTHENTICATION_ERROR', 'RATE_LIMIT_ERROR', 'API_ERROR']),
      code: z.enum(errorCodes).meta({ description: 'Stable code; programs dispatch on it' }),
      message: z.string().meta({ description: 'Text for display; do not parse it' }),
      param: z.string().optional().meta({ description: 'Field at fault, if any' }),
      params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      doc_url: z.url().meta({ description: 'Page about the code' }),
      request_id: z.string().meta({ description: '`Request-Id` of this response' }),
    }),
  })
  .meta({ id: 'Error' });

export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;

/** Request details of an error response. */
export interface ErrorOccasion {
  /** Origin of the service without a trailing slash; the error pages are served there. */
  readonly origin: string;
  readonly requestId: string;
  /** Replacement for the table's message where the request itself names the fault. */
  readonly detail?: string | undefined;
  /** Field at fault, or null. */
  readonly param?: string | null | undefined;
}

/** Return the path of the page about a code, relative to the origin of the service. */
const errorPagePathOf = (code: ErrorCode): string => `/errors/${code}`;

/** Build the error envelope of a rejection. */
export function errorEnvelope(rejection: Rejection, occasion: ErrorOccasion): ErrorEnvelope {
  const { origin, requestId, detail, param } = occasion;
  const definition: ErrorDefinition = errorTable[rejection.code];
  const values = new Map<string, unknown>(Object.entries(rejection.params));
  const params = Object.entries(definition.params)
    .filter(([key]) => values.get(key) !== undefined)
    .map(([key, kind]) => [key, wireParam(kind, values.get(key))] as const);
  return {
    error: {
      type: definition.type,
      code: rejection.code,
      message: detail ?? definition.message,
      ...(typeof param === 'string' && { param }),
      ...(params.length > 0 && { params: Object.fromEntries(params) }),
      doc_url: `${origin}${errorPagePathOf(rejection.code)}`,
      request_id: requestId,
    },
  };
}

function wireParam(kind: ParamKind, param: unknown): string | number {
  if (typeof param === 'bigint')
    return kind.startsWith('LeverageBps') || kind.startsWith('RateBps') ? Number(param) : String(param);
  if (typeof param === 'number' || typeof param === 'string') return param;
  throw new TypeError(`an error param of kind ${kind} has no wire form`);
}
