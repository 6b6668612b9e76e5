import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLogger } from './createLogger.ts';
import { redactedError, redactedText } from './redaction.ts';

const alphabet = (letters: string, length: number) =>
  fc
    .array(fc.constantFrom(...letters.split('')), { minLength: length, maxLength: length + 16 })
    .map((all) => all.join(''));
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** A key as providers give them: letters and digits, one of each at least. */
const key = alphabet(`${letters}0123456789`, 24).map((text) => `Q7x${text}`);
const scheme = fc.constantFrom('https', 'wss', 'postgres', 'redis');
const host = fc.constantFrom('rpc.example', '127.0.0.1:8545', 'node-1.rpc.example:443');

/** Places of a URL where a provider puts a credential. */
const credentialUrl = fc
  .tuple(scheme, host, key, fc.integer({ min: 0, max: 6 }))
  .map(([scheme, host, secret, place]) => {
    const origin = `${scheme}://${host}`;
    const urls = [
      `${scheme}://user:${secret}@${host}/database`,
      `${scheme}://${secret}@${host}`,
      `${origin}/v2/${secret}`,
      `${origin}/v3/${secret}/eth_mainnet`,
      `${origin}/${secret}/`,
      `${origin}/rpc?chain=137&apikey=${secret}`,
      `${origin}?token=${secret}#top`,
    ];
    return { url: urls[place] ?? '', secret };
  });

/** Texts in which a URL may stand: a sentence, a quoted value, escaped JSON, a list. */
const around = fc.constantFrom<(url: string) => string>(
  (url) => `URL: ${url}\nRequest body: {}`,
  (url) => JSON.stringify({ err: { message: `no answer from ${url}`, url } }),
  (url) => JSON.stringify({ text: JSON.stringify({ url }) }),
  (url) => `<${url}>, '${url}' and \`${url}\``,
);

describe('redaction', () => {
  test('redaction masks the credentials of every URL; a second pass changes nothing', () => {
    fc.assert(
      fc.property(credentialUrl, around, ({ url, secret }, place) => {
        const redacted = redactedText(place(url));
        expect(redacted).not.toContain(secret);
        expect(redacted).toContain('***');
        expect(redactedText(redacted)).toBe(redacted);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['https://user:password@rpc.example/path', 'https://***@rpc.example/path'],
    ['postgres://lev:p@ss@127.0.0.1:5432/lev', 'postgres://***@127.0.0.1:5432/lev'],
    ['https://polygon.example/v2/abcDEF-123_456xyz', 'https://polygon.example/v2/***'],
    ['https://node.example/0123456789abcdef0123456789abcdef/', 'https://node.example/***/'],
    ['https://node.example/1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed', 'https://node.example/***'],
    ['(https://node.example/v3/abcDEF123456xyz0): closed', '(https://node.example/v3/***): closed'],
    ['https://rpc.example/?api_key=k&x=1&dkey=k2', 'https://rpc.example/?api_key=***&x=1&dkey=***'],
    ['authorization: Bearer eyJhbGciOiJF.e30.x', 'authorization: Bearer ***'],
    ['Api-Key sbx_skey_aaaaaaaaaa', 'Api-Key ***'],
    ['{"privateKey":"0x12","name":"keeper"}', '{"privateKey":"***","name":"keeper"}'],
    [
      '{"body":"{\\"password\\": \\"a\\"}","clientSecret":""}',
      '{"body":"{\\"password\\": \\"***\\"}","clientSecret":"***"}',
    ],
  ])('%s', (text, redacted) => {
    expect(redactedText(text)).toBe(redacted);
  });

  test.each([
    'http://127.0.0.1:8545',
    'https://api.example/v1/prediction-markets/markets?token_id=123&cursor=mkt_01k9',
    `https://scan.example/tx/0x${'ab'.repeat(32)}`,
    'https://venue.example/markets/slug/bitcoin-above-100k-on-november-22-2026',
    `https://venue.example/book?token_id=${'7'.repeat(77)}`,
    'ws://127.0.0.1:8090/ws/market',
    '{"hash":"0x12","signature":"0x34","purpose":"open"}',
  ])('%s shows no secret and stays', (text) => {
    expect(redactedText(text)).toBe(text);
  });

  test('an error keeps its class and identity; message, stack, fields and causes lose their secrets', () => {
    class WorldError extends Error {
      readonly url = 'https://user:hunter22@rpc.example';
      readonly details = ['https://rpc.example/v2/hunter22hunter22'];
      readonly count = 3;
    }
    const cause = new AggregateError([new Error('wss://hunter22@rpc.example')], 'http://x/?key=hunter22');
    const error = new WorldError('https://user:hunter22@rpc.example is silent', { cause });
    const redacted = redactedError(error);
    expect(redacted).toBe(error);
    expect(redacted).toBeInstanceOf(WorldError);
    expect(redacted.count).toBe(3);
    const inner = (redacted.cause as AggregateError).errors[0] as Error;
    const texts = [error.message, error.stack, error.url, ...error.details, cause.message, cause.stack, inner.stack];
    for (const text of texts) {
      expect(text).not.toContain('hunter22');
      expect(text).toContain('***');
    }
    expect(redactedError('https://a:b@c')).toBe('https://a:b@c');
  });
});

test('logger: no secret leaves it in messages, fields, errors with causes or child loggers', () => {
  const lines: string[] = [];
  const logger = createLogger({ name: 'sample', level: 'trace', destination: { write: (line) => lines.push(line) } });
  const url = 'https://rpc.example/v2/hunter22hunter22';
  logger.info({ url, nested: { privateKey: 'hunter22' }, list: [{ secret: 'hunter22' }] }, `reading ${url}`);
  logger.error({ err: new Error(`no answer from ${url}`, { cause: new Error('postgres://lev:hunter22@h/x') }) });
  logger.child({ rpcUrl: url, authorization: 'Bearer hunter22hunter22' }).warn('late');
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    expect(line).not.toContain('hunter22');
    expect(JSON.parse(line)).toMatchObject({ name: 'sample' });
  }
});
