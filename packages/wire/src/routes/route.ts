import type { ErrorCode } from '@core/errors';
import type { z } from 'zod';

/**
 * Credential of an endpoint: a partner's API key, a user's token, either of them, or none (specification,
 * Authentication).
 */
export type AuthLevel = 'partner' | 'user' | 'user_or_partner' | 'public';

/** Throttle of an endpoint besides, or instead of, the standard bucket of the caller. */
export type RouteThrottle = 'standard' | 'tokens' | 'quoteCreation' | 'sampleEvents';

/** Definition of an endpoint, shared by server, OpenAPI document, SDK and tests. */
export interface RouteDefinition {
  readonly method: 'GET' | 'POST';
  /** Path relative to `basePath`; parameters in braces. */
  readonly path: `/${string}`;
  /** Other paths of the same endpoint; their path parameters have the same order. */
  readonly aliases: readonly `/${string}`[];
  readonly tag: 'Auth and reference data' | 'Markets' | 'Positions' | 'Quotes' | 'Events';
  readonly summary: string;
  readonly deprecated: boolean;
  readonly auth: AuthLevel;
  readonly throttle: RouteThrottle;
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  /** Schema of the body; null for a route without one. */
  readonly body: z.ZodType | null;
  readonly response: { readonly status: 200 | 201 | 202; readonly schema: z.ZodType };
  /** Codes of this route, without those of every route and of every authenticated route. */
  readonly codes: readonly ErrorCode[];
}

/** Common prefix of every path of the specification. */
export const basePath = '/v1/prediction-markets';
