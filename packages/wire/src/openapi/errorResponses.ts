import { type ErrorCode, exampleErrorOf, statusesOf } from '@core/errors';
import { errorComponentNameOf } from './errorSchemas.ts';

type Json = Record<string, unknown>;

/** Names of the responses that are equal on every route that has them. */
const sharedNames: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

const headerReference = (name: string): Json => ({ [name]: { $ref: `#/components/headers/${name}` } });

/** Return the headers that only responses of this status have. */
function headersOfStatus(status: number): Json {
  if (status === 429 || status === 503) return headerReference('Retry-After');
  return status === 401 ? headerReference('WWW-Authenticate') : {};
}

/** Error responses of the document, each a component that operations refer to. */
export class ErrorResponses {
  readonly #headers: Json;
  readonly #components = new Map<string, Json>();

  /**
   * Create an empty set.
   *
   * @param headers Headers of every response.
   */
  constructor(headers: Json) {
    this.#headers = headers;
  }

  /** Return the error responses of one route by status; aliases share them. */
  responsesOf(routeName: string, codes: readonly ErrorCode[]): Json {
    const statuses = [...new Set(codes.flatMap(statusesOf))].toSorted((a, b) => a - b);
    return Object.fromEntries(
      statuses.map((status) => {
        const ofStatus = codes.filter((code) => statusesOf(code).includes(status));
        // A route with a code of its own for a status has its own response.
        const shared = ofStatus.length === 1 ? sharedNames[status] : undefined;
        const name = shared ?? `${routeName}${status}`;
        if (!this.#components.has(name)) this.#components.set(name, this.#responseOf(status, ofStatus));
        return [String(status), { $ref: `#/components/responses/${name}` }];
      }),
    );
  }

  /** Return every component created so far, by name. */
  components(): Json {
    return Object.fromEntries(this.#components);
  }

  #responseOf(status: number, codes: readonly ErrorCode[]): Json {
    const referenceOf = (code: ErrorCode): string => `#/components/schemas/${errorComponentNameOf(code)}`;
    const mapping = Object.fromEntries(codes.map((code) => [code, referenceOf(code)]));
    const error = {
      oneOf: codes.map((code) => ({ $ref: referenceOf(code) })),
      discriminator: { propertyName: 'code', mapping },
    };
    return {
      description: codes.map((code) => `\`${code}\``).join(', '),
      headers: { ...this.#headers, ...headersOfStatus(status) },
      content: {
        'application/json': {
          schema: { type: 'object', properties: { error }, required: ['error'], additionalProperties: false },
          examples: Object.fromEntries(codes.map((code) => [code, { value: { error: exampleErrorOf(code) } }])),
        },
      },
    };
  }
}
