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
      params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    }),
  })
  .meta({ id: 'Error' });

export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;

/** How a kind of param looks on the wire: amounts are strings, basis points and plain numbers are numbers. */
type WireParam<Kind> = Kind extends `${infer Bare}?`
  ? WireParam<Bare>
  : Kind extends 'LeverageBps' | 'RateBps' | 'number'
    ? number
    : string;

type Params<C extends ErrorCode> = (typeof errorTable)[C]['params'];
type AbsentKeys<P> = { [K in keyof P]: P[K] extends `${string}?` ? K : never }[keyof P];

/** The params of a code as a client receives them. */
export type WireErrorParams<C extends ErrorCode> = {
  [K in Exclude<keyof Params<C>, AbsentKeys<Params<C>>>]: WireParam<Params<C>[K]>;
} & {
  [K in AbsentKeys<Params<C>>]?: WireParam<Params<C>[K]>;
};

/** The envelope of a rejection. `detail` replaces the table's message where the request itself names the fault. */
export function errorEnvelope(rejection: Rejection, detail?: string): ErrorEnvelope {
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
      ...(params.length > 0 && { params: Object.fromEntries(params) }),
    },
  };
}

function wireParam(kind: ParamKind, param: unknown): string | number {
  if (typeof param === 'bigint')
    return kind.startsWith('LeverageBps') || kind.startsWith('RateBps') ? Number(param) : String(param);
  if (typeof param === 'number' || typeof param === 'string') return param;
  throw new TypeError(`an error param of kind ${kind} has no wire form`);
}
