import { type ErrorCode, type ErrorDefinition, errorTable, type ParamKind } from '@core/errors';

type Json = Record<string, unknown>;

const text = { type: 'string' };
const amount = { type: 'string', pattern: '^(0|-?[1-9][0-9]{0,17})$' };
const bps = { type: 'integer' };

/** Wire schema of each kind of param. */
const schemaOfKind: Record<string, Json> = {
  UsdPips: { ...amount, description: 'Pips: 10,000 = 1.00 USD' },
  PricePips: { ...amount, description: 'Price of one token in pips: 10,000 = 1.00 USD' },
  UsdcUnits: { ...amount, description: 'USDC units: 1,000,000 = 1.00 USD' },
  LeverageBps: { ...bps, description: 'Basis points: 10,000 = 1x' },
  RateBps: { ...bps, description: 'Basis points: 10,000 = 100 %' },
  number: { type: 'number' },
  text,
  Side: { enum: ['yes', 'no'] },
  FillBound: { enum: ['collateral', 'notional'] },
  Revision: { enum: ['notional_reduced', 'leverage_reduced', 'notional_and_leverage_reduced'] },
};

function paramSchemaOf(kind: ParamKind): Json {
  const schema = schemaOfKind[kind.replace('?', '')];
  if (schema === undefined) throw new Error(`no schema for param kind ${kind}`);
  return schema;
}

/** Return the component name of a code: `quote_price_too_low` is `QuotePriceTooLowError`. */
export function errorComponentNameOf(code: ErrorCode): string {
  const words = code.toLowerCase().split('_');
  return `${words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')}Error`;
}

/** Build the schema of `error` for one code. Clients get one type per code, with its own params. */
export function errorSchemaOf(code: ErrorCode): Json {
  const definition: ErrorDefinition = errorTable[code];
  const params = Object.entries(definition.params);
  const required = params.filter(([, kind]) => !kind.endsWith('?')).map(([name]) => name);
  const properties = {
    type: { const: definition.type },
    code: { const: code, description: definition.message },
    message: { ...text, description: 'Text for display; do not parse it' },
    param: { ...text, description: 'Field at fault, if any' },
    ...(params.length > 0 && {
      params: {
        type: 'object',
        properties: Object.fromEntries(params.map(([name, kind]) => [name, paramSchemaOf(kind)])),
        ...(required.length > 0 && { required }),
        additionalProperties: false,
      },
    }),
    doc_url: { ...text, format: 'uri', description: 'Page about the code' },
    request_id: { ...text, description: '`Request-Id` of this response' },
  };
  return {
    type: 'object',
    properties,
    required: ['type', 'code', 'message', ...(required.length > 0 ? ['params'] : []), 'doc_url', 'request_id'],
    additionalProperties: false,
  };
}
