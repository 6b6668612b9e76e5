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
      code: z.enum(errorCodes as [ErrorCode, ...ErrorCode[]]).meta({ description: 'What programs dispatch on' }),
      message: z.string().meta({ description: 'For display; not to be parsed' }),
      param: z.string().optional().meta({ description: 'The field at fault, where one is' }),
      params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      doc_url: z.url().meta({ description: 'A page about the code' }),
      request_id: z.string().meta({ description: 'The `Request-Id` of this answer' }),
    }),
  })
  .meta({ id: 'Error' });

export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;

/** What an error answer says beside its code. */
export interface ErrorOccasion {
  /** Origin of the service, without a slash at the end; the pages about codes stand there. */
  readonly origin: string;
  readonly requestId: string;
  /** Replaces the table's message where the request itself names the fault. */
  readonly detail?: string | undefined;
  /** The field at fault, or null. */
  readonly param?: string | null | undefined;
}

/** Path of the page about a code, on the origin of the service. */
const errorPagePathOf = (code: ErrorCode): string => `/errors/${code}`;

/** The envelope of a rejection on one occasion. */
export function errorEnvelope(rejection: Rejection, occasion: ErrorOccasion): ErrorEnvelope {
  const { origin, requestId, detail, param } = occasion;
  const definition: ErrorDefinition = errorTable[rejection.code];
  const given = new Map<string, unknown>(Object.entries(rejection.params));
  const params = Object.entries(definition.params)
    .filter(([key]) => given.get(key) !== undefined)
    .map(([key, kind]) => [key, wireParam(kind, given.get(key))] as const);
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
