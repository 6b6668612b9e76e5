import type { SentRequest } from './transport.ts';

/** Format a request as a shell command. Credentials are variables, because terminals and screens are recorded. */
export function curlOf({ method, url, headers, body }: SentRequest): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const headerArguments = Object.entries(headers).map(([name, value]) => {
    if (name !== 'authorization') return `-H ${quoted(`${name}: ${value}`)}`;
    return value.startsWith('Api-Key')
      ? '-H "authorization: Api-Key $LEV_API_KEY"'
      : '-H "authorization: Bearer $LEV_TOKEN"';
  });
  return [
    'curl',
    `-X ${method}`,
    quoted(url),
    ...headerArguments,
    ...(body === null ? [] : [`-d ${quoted(body)}`]),
  ].join(' ');
}
