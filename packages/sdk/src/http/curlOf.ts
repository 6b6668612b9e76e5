import type { SentRequest } from './transport.ts';

/** A request as a shell can send it; credentials stand as variables, because terminals and screens are recorded. */
export function curlOf({ method, url, headers, body }: SentRequest): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const shown = Object.entries(headers).map(([name, value]) => {
    if (name !== 'authorization') return `-H ${quoted(`${name}: ${value}`)}`;
    return value.startsWith('Api-Key')
      ? '-H "authorization: Api-Key $LEV_API_KEY"'
      : '-H "authorization: Bearer $LEV_TOKEN"';
  });
  return ['curl', `-X ${method}`, quoted(url), ...shown, ...(body === null ? [] : [`-d ${quoted(body)}`])].join(' ');
}
