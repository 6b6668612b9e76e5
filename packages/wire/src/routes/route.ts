import type { ErrorCode } from '@core/errors';
import type { z } from 'zod';

/** Who may call: a partner's API key, a user's token, either of them, or anyone (specification, Authentication). */
export type AuthLevel = 'partner' | 'user' | 'user_or_partner' | 'public';

/** Which throttle applies beside, or instead of, the standard bucket of the caller. */
export type RouteThrottle = 'standard' | 'tokens' | 'quoteCreation' | 'sampleEvents';

/** One endpoint: everything the server, the OpenAPI document, the SDK and the tests know about it. */
export interface RouteDefinition {
  readonly method: 'GET' | 'POST';
  /** Relative to `basePath`; parameters in braces. */
  readonly path: `/${string}`;
  /** Other spellings of the same endpoint; their path parameters come in the same order. */
  readonly aliases: readonly `/${string}`[];
  readonly tag: 'Auth and reference data' | 'Markets' | 'Positions' | 'Quotes' | 'Events';
  readonly summary: string;
  readonly deprecated: boolean;
  readonly auth: AuthLevel;
  readonly throttle: RouteThrottle;
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  /** Null when the route takes no body. */
  readonly body: z.ZodType | null;
  readonly response: { readonly status: 200 | 201 | 202; readonly schema: z.ZodType };
  /** Codes beside those every route and every authenticated route may answer with. */
  readonly codes: readonly ErrorCode[];
}

/** Every path of the specification starts with this. */
export const basePath = '/v1/prediction-markets';
