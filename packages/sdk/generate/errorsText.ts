import { type ErrorDefinition, errorCodes, errorTable } from '@core/errors';

/** Wire type of each kind of param. */
const paramTypes: Readonly<Record<string, string>> = {
  UsdPips: 'string',
  PricePips: 'string',
  UsdcUnits: 'string',
  LeverageBps: 'number',
  RateBps: 'number',
  number: 'number',
  text: 'string',
  Side: "'yes' | 'no'",
  FillBound: "'collateral' | 'notional'",
  Revision: "'notional_reduced' | 'leverage_reduced' | 'notional_and_leverage_reduced'",
};

/** Generate the error codes with type and params, and those that are repeated. */
export function errorsText(): string {
  const rows: string[] = [];
  const repeated: string[] = [];
  const params: string[] = [];
  for (const code of errorCodes) {
    const definition: ErrorDefinition = errorTable[code];
    rows.push(`  ${code}: '${definition.type}',`);
    if (definition.retry === 'backoff') repeated.push(code);
    const members = Object.entries(definition.params).map(([name, kind]) => {
      const type = paramTypes[kind.replace('?', '')];
      if (type === undefined) throw new Error(`no type for param kind ${kind}`);
      return `readonly ${name}${kind.endsWith('?') ? '?' : ''}: ${type}`;
    });
    const shape = members.length === 0 ? 'Readonly<Record<string, never>>' : `{ ${members.join('; ')} }`;
    params.push(`  /** ${definition.message} */\n  readonly ${code}: ${shape};`);
  }
  return `/** Error type of every code of the service. */
export const errorTypes = {
${rows.join('\n')}
} as const;

/** Code of the service. */
export type ErrorCode = keyof typeof errorTypes;

/** Codes of requests that are repeated as they are, with growing pauses. */
export const repeatedCodes: readonly ErrorCode[] = [${repeated.map((code) => `'${code}'`).join(', ')}];

/** Params of every code in wire form. */
export interface ErrorParams {
${params.join('\n')}
}
`;
}
