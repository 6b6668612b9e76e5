import { z } from 'zod';

/** What the OpenAPI document says about a query parameter whose wire form is text but whose meaning is not. */
export interface ParameterDescription {
  readonly type: 'integer' | 'boolean' | 'string';
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number;
}

/** Descriptions by schema; the OpenAPI builder reads them, the parser does not. */
export const parameterDescriptions: z.core.$ZodRegistry<ParameterDescription> = z.registry<ParameterDescription>();
