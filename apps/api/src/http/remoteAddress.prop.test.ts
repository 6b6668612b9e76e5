import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { peerOf, subjectBehind } from './remoteAddress.ts';

const proxies: ReadonlySet<string> = new Set(['127.0.0.1', '10.0.0.1', '2001:db8:ffff::1']);
const behind = (forwardedFor: string | undefined, remoteAddress: string | undefined = '127.0.0.1'): string =>
  subjectBehind({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwardedFor } }, (address) =>
    proxies.has(address),
  );

const pieceOf = (bytes: readonly number[]): string => Buffer.from(bytes).toString('hex');
/** First octet apart from the proxies' own. */
const ipv4 = fc.tuple(fc.integer({ min: 11, max: 126 }), fc.nat(255), fc.nat(255), fc.nat(255));
/** The first four groups, which name the network of a caller, apart from those that carry IPv4. */
const network = fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: 4, maxLength: 4 });
const host = fc.array(fc.nat(0xffff), { minLength: 4, maxLength: 4 });

const groupTexts = (groups: readonly number[], width: number): readonly string[] =>
  groups.map((group) => group.toString(16).padStart(width, '0'));
const space = fc.constantFrom('', ' ', '  ', '\t');
const port = fc.oneof(
  fc.nat(65_535).map((number) => `:${number}`),
  fc.constant(':_hidden-1.a'),
);

/** A spelling of an entry: quoted or not, with space inside and outside. */
const quoted = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.boolean(), space, space)
    .map(([entry, isQuoted, left, right]) => `${left}${isQuoted ? `"${left}${entry}${right}"` : entry}${right}`);

function spellingsOfIpv4(octets: readonly number[]): fc.Arbitrary<string> {
  const dotted = octets.join('.');
  const [high, low] = [pieceOf(octets.slice(0, 2)), pieceOf(octets.slice(2))];
  const mapped = fc.constantFrom(
    `::ffff:${dotted}`,
    `::FFFF:${dotted}`,
    `0:0:0:0:0:ffff:${dotted}`,
    `::ffff:${high}:${low}`,
    `0000:0000:0000:0000:0000:FFFF:${high}:${low}`.toUpperCase(),
    `::ffff:${dotted}%eth0`,
  );
  const bracketed = fc.tuple(mapped, fc.oneof(fc.constant(''), port)).map(([text, end]) => `[${text}]${end}`);
  const withPort = fc.tuple(fc.constantFrom(dotted, `::ffff:${dotted}`), port).map(([text, end]) => text + end);
  return quoted(fc.oneof(fc.constant(dotted), mapped, bracketed, withPort));
}

function spellingsOfIpv6(groups: readonly number[]): fc.Arbitrary<string> {
  return quoted(
    fc
      .tuple(host, fc.constantFrom(1, 4), fc.boolean(), fc.constantFrom('', '%eth0', '%25en1'), fc.option(port))
      .map(([own, width, isUpper, zone, end]) => {
        const text = groupTexts([...groups, ...own], width).join(':');
        const address = `${isUpper ? text.toUpperCase() : text}${zone}`;
        return end === null ? address : `[${address}]${end}`;
      }),
  );
}

/** A caller in two spellings. */
const caller = fc.oneof(
  ipv4.chain((octets) => fc.tuple(fc.constant(octets.join('.')), spellingsOfIpv4(octets), spellingsOfIpv4(octets))),
  network.chain((groups) => fc.tuple(fc.constant(groups.join(':')), spellingsOfIpv6(groups), spellingsOfIpv6(groups))),
);

/** An entry as a proxy with an error, or a stranger, may write it. */
const garbage = fc.oneof(
  fc.string({ maxLength: 300 }).filter((text) => !/[\d:]/.test(text)),
  fc.nat(30_000).map((length) => '1'.repeat(length + 11)),
  fc.constantFrom('unknown', '_hidden', '', '1.2.3', '127.1', '0x7f.0.0.1', '2130706433', '010.1.2.3', '11.2.3.04'),
  fc.constantFrom(
    '11.2.3.256',
    '11.2.3.4.5',
    '11.2.3.4:',
    '11.2.3.4:http',
    '[11.2.3.4]:80',
    '[2001:db8::1',
    '::ffff:1.2.3.04',
  ),
  fc.constantFrom(
    '2001:db8::1]',
    '[2001:db8::1]x',
    '2001:db8::1::2',
    'for=11.2.3.4',
    '"11.2.3.4',
    '[]:80',
    '11.2.3.4 5',
  ),
);

describe('subjectBehind', () => {
  test('one caller in any two spellings: one subject, and not the proxy', () => {
    fc.assert(
      fc.property(caller, ([, first, second]) => {
        expect(behind(first)).toBe(behind(second));
        expect(behind(first)).not.toBe('127.0.0.1');
      }),
    );
  });

  test('two callers: two subjects', () => {
    fc.assert(
      fc.property(caller, caller, ([name, first], [otherName, other]) => {
        fc.pre(name !== otherName);
        expect(behind(first)).not.toBe(behind(other));
      }),
    );
  });

  test('an entry that is no address: the proxy that wrote it, whatever is before it', () => {
    fc.assert(
      fc.property(garbage, caller, (entry, [, spelling]) => {
        const last = entry.split(',').at(-1) ?? '';
        expect(behind(last)).toBe('127.0.0.1');
        expect(behind(`${spelling}, ${last}`)).toBe('127.0.0.1');
        expect(behind(`${last}, 10.0.0.1:443`)).toBe('10.0.0.1');
      }),
    );
  });

  test('trusted proxies in any spelling are passed, and nothing before the first stranger counts', () => {
    for (const proxy of ['10.0.0.1', '10.0.0.1:5000', '[::ffff:10.0.0.1]:1', '"[2001:DB8:ffff:0::1%en0]:80"']) {
      expect(behind(`192.0.2.7, 203.0.113.9:1, ${proxy}`, '::ffff:127.0.0.1')).toBe('203.0.113.9');
    }
    expect(behind('10.0.0.1')).toBe('10.0.0.1');
  });

  test('a connection that is no proxy: its own address, whatever it forwards', () => {
    expect(behind('203.0.113.9', '192.0.2.7')).toBe('192.0.2.7');
    expect(behind(undefined)).toBe('127.0.0.1');
  });
});

describe('peerOf', () => {
  test('names an address without its zone, and its network', () => {
    expect(peerOf({ remoteAddress: 'fe80::1%eth0' })).toEqual({ address: 'fe80::1', subject: 'fe80000000000000/64' });
    expect(peerOf({ remoteAddress: '::ffff:192.0.2.7' })).toEqual({ address: '192.0.2.7', subject: '192.0.2.7' });
  });

  test('a closed connection has one name of its own', () => {
    expect(peerOf({ remoteAddress: undefined })).toEqual({ address: 'unknown', subject: 'unknown' });
  });
});
