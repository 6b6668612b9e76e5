import { z } from 'zod';

/** OpenAPI description of a query parameter that is text on the wire but has another type by meaning. */
export interface ParameterDescription {
  readonly type: 'integer' | 'boolean' | 'string';
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number;
}

/** Descriptions by schema, for the OpenAPI builder only. */
export const parameterDescriptions: z.core.$ZodRegistry<ParameterDescription> = z.registry<ParameterDescription>();
