import type { ErrorDefinition, ParamKind, RetryAdvice } from '../definition.ts';
import type { ErrorCode } from '../rejection.ts';
import { errorTable } from '../table.ts';

const retrySentences: Record<RetryAdvice, string> = {
  backoff: 'Yes. Repeat the same request, first after one second, then with exponential backoff.',
  later: 'Not at once. The same request may succeed when the market or the service has changed.',
  changed: 'Not as it is. Change the request as described, then send it again.',
  never: 'No. Repeating this request for the same market, wallet or credential will not help.',
};

/** One wire value and one sentence per kind of param. */
const wireOfKind: Record<string, { example: string | number; meaning: string }> = {
  UsdPips: { example: '1000000', meaning: 'string, money; 10,000 pips = 1 USD' },
  PricePips: { example: '5400', meaning: 'string, price of one token; 10,000 pips = 1 USD' },
  UsdcUnits: { example: '100000000', meaning: 'string, money; 1,000,000 units = 1 USD' },
  LeverageBps: { example: 30000, meaning: 'number, leverage; 10,000 = 1x' },
  RateBps: { example: 500, meaning: 'number, rate; 10,000 = 100 %' },
  number: { example: 0.75, meaning: 'number' },
  text: { example: 'text', meaning: 'string' },
  Side: { example: 'yes', meaning: '`yes` or `no`' },
  FillBound: { example: 'notional', meaning: '`collateral` or `notional`' },
  Revision: {
    example: 'notional_reduced',
    meaning: '`notional_reduced`, `leverage_reduced` or `notional_and_leverage_reduced`',
  },
};

function wireOf(key: string, kind: ParamKind): { example: string | number; meaning: string } {
  if (key.endsWith('_age_ms')) return { example: 7400, meaning: 'number, milliseconds' };
  if (key.endsWith('pct_elapsed')) return { example: 0.75, meaning: 'number from 0 to 1' };
  const wire = wireOfKind[kind.replace('?', '')];
  if (wire === undefined) throw new Error(`no wire form for param kind ${kind}`);
  return wire;
}

/** The Markdown page of one code: meaning, status, retry, params, example. Deterministic. */
export function errorPageOf(code: ErrorCode): string {
  const definition: ErrorDefinition = errorTable[code];
  const params = Object.entries(definition.params);
  const example = {
    error: {
      type: definition.type,
      code,
      message: definition.message,
      ...(params.length > 0 && {
        params: Object.fromEntries(params.map(([key, kind]) => [key, wireOf(key, kind).example])),
      }),
    },
  };
  const paramLines = params.map(([key, kind]) => {
    const absent = kind.endsWith('?') ? '; may be absent' : '';
    return `- \`${key}\`: ${wireOf(key, kind).meaning}${absent}`;
  });
  return [
    `# \`${code}\``,
    '',
    definition.message,
    '',
    `- Status: ${definition.status}`,
    `- Type: \`${definition.type}\``,
    `- Retry: ${retrySentences[definition.retry]}`,
    `- On a market: ${definition.eligibility === undefined ? 'not shown' : `\`${definition.eligibility}\``}`,
    `- Specification: ${definition.clause}`,
    '',
    '## Params',
    '',
    ...(params.length === 0 ? ['None.'] : paramLines),
    '',
    '## Example',
    '',
    '```json',
    JSON.stringify(example, null, 2),
    '```',
    '',
  ].join('\n');
}
