import type { ErrorDefinition, ParamKind, RetryAdvice } from '../definition.ts';
import type { ErrorCode } from '../rejection.ts';
import { errorTable } from '../table.ts';

const retrySentences: Record<RetryAdvice, string> = {
  backoff: 'Yes. Repeat the same request, first after one second, then with exponential backoff.',
  later: 'Not at once. The same request may succeed when the market or the service has changed.',
  changed: 'Not as it is. Change the request as described, then send it again.',
  never: 'No. Repeating this request for the same market, wallet or credential will not help.',
};

/** Example value and meaning of each kind of param. */
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

/** Build an example of the wire error of a code. Deterministic. */
export function exampleErrorOf(code: ErrorCode) {
  const definition: ErrorDefinition = errorTable[code];
  const params = Object.entries(definition.params);
  return {
    type: definition.type,
    code,
    message: definition.message,
    ...(definition.fields !== undefined && { param: definition.fields[0] }),
    ...(params.length > 0 && {
      params: Object.fromEntries(params.map(([key, kind]) => [key, wireOf(key, kind).example])),
    }),
    doc_url: `https://api.example/errors/${code}`,
    request_id: 'req_0123456789abcdef01234567',
  };
}

/** Build the Markdown page of a code: message, status, retry advice, params, example. Deterministic. */
export function errorPageOf(code: ErrorCode): string {
  const definition: ErrorDefinition = errorTable[code];
  const params = Object.entries(definition.params);
  const fields = (definition.fields ?? []).map((field) => `\`${field}\``);
  const paramLines = params.map(([key, kind]) => {
    const absent = kind.endsWith('?') ? '; may be absent' : '';
    return `- \`${key}\`: ${wireOf(key, kind).meaning}${absent}`;
  });
  const { transientStatus } = definition;
  const passing =
    transientStatus === undefined ? '' : `, or ${transientStatus} with \`Retry-After\` where it will pass`;
  return [
    `# \`${code}\``,
    '',
    definition.message,
    '',
    `- Status: ${definition.status}${passing}`,
    `- Type: \`${definition.type}\``,
    `- Retry: ${retrySentences[definition.retry]}`,
    `- On a market: ${definition.eligibility === undefined ? 'not shown' : `\`${definition.eligibility}\``}`,
    `- Field (\`param\`): ${fields.length === 0 ? 'none' : fields.join(' or ')}`,
    `- Specification: ${definition.clause}`,
    '',
    '## Params',
    '',
    ...(params.length === 0 ? ['None.'] : paramLines),
    '',
    '## Example',
    '',
    '```json',
    JSON.stringify({ error: exampleErrorOf(code) }, null, 2),
    '```',
    '',
  ].join('\n');
}
