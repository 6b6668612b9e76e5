import { buildOpenApi } from '@core/wire';
import type { Schema } from './typeText.ts';

type Content = Readonly<Record<'application/json', { readonly schema: Schema }>>;

/** A parameter of an operation. */
export interface Parameter extends Pick<Schema, 'description' | 'deprecated'> {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

/** One operation of the document. */
export interface Operation {
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}

/** The OpenAPI document, as far as the client is made from it. */
export const document = buildOpenApi() as {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
