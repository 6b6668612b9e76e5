import { buildOpenApi } from '@core/wire';
import type { Schema } from './typeText.ts';

type Content = Readonly<Record<'application/json', { readonly schema: Schema }>>;

/** Parameter of an operation. */
export interface Parameter extends Pick<Schema, 'description' | 'deprecated'> {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

/** Operation of the document. */
export interface Operation {
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}

/** Part of the OpenAPI document from which the client is generated. */
export const document = buildOpenApi() as {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
