import { describe, expect, test } from 'vitest';
import { addressKeyOf } from './addressKey.ts';

describe('addressKeyOf', () => {
  test('two addresses of one IPv6 /64: one key', () => {
    const key = addressKeyOf('2001:db8:1:2::1');
    for (const other of ['2001:db8:1:2::2', '2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:0db8:0001:0002:0:0:0:9']) {
      expect(addressKeyOf(other)).toBe(key);
    }
  });

  test('two IPv6 networks: two keys', () => {
    expect(addressKeyOf('2001:db8:1:2::1')).not.toBe(addressKeyOf('2001:db8:1:3::1'));
  });

  test('IPv4 and the same address mapped into IPv6: one key', () => {
    for (const mapped of ['::ffff:192.0.2.7', '::ffff:c000:207', '0:0:0:0:0:ffff:192.0.2.7']) {
      expect(addressKeyOf(mapped)).toBe('192.0.2.7');
    }
    expect(addressKeyOf('192.0.2.7')).not.toBe(addressKeyOf('192.0.2.8'));
  });

  test('a scoped address: counts without its zone', () => {
    expect(addressKeyOf('fe80::1%eth0')).toBe(addressKeyOf('fe80::2%eth1'));
  });

  test('text that is no address: counts as it stands', () => {
    expect(addressKeyOf('unknown')).toBe('unknown');
  });
});
