import { FriendlyError } from '@core/runtime';
import { privateKeyToAddress } from 'viem/accounts';
import { expect, test } from 'vitest';
import { addressOfKey, keySourceOf, keyUrl } from './keySource.ts';

const arn = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const version = 'projects/p/locations/europe-west1/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1';

test.each([
  [`awskms:///${arn}`, { kind: 'aws', keyId: arn, region: null, endpoint: null }],
  [
    'awskms:///alias/keeper?region=eu-west-1',
    { kind: 'aws', keyId: 'alias/keeper', region: 'eu-west-1', endpoint: null },
  ],
  [`gcpkms://${version}`, { kind: 'gcp', version, endpoint: null }],
  [`gcpkms://${version}?endpoint=https://kms.internal`, { kind: 'gcp', version, endpoint: 'https://kms.internal' }],
  ['web3signer+https://signer.internal:9000/', { kind: 'web3signer', url: 'https://signer.internal:9000' }],
])('the place %s is read', (text, place) => {
  expect(keyUrl.read(text)).toEqual(place);
});

test.each([
  '',
  'keeper.key',
  'awskms://host/alias/keeper',
  'awskms:///',
  'gcpkms://projects/p',
  'https://signer.internal',
])('the text %o is no place', (text) => {
  expect(keyUrl.read(text)).toBeUndefined();
});

test('a key has one source: a file, or a place with an address', () => {
  const none = { name: 'KEEPER_KEY', file: undefined, url: undefined, address: undefined };
  const file = `0x${'22'.repeat(32)}` as const;
  const url = keyUrl.read('awskms:///alias/keeper');
  const address = privateKeyToAddress(file);
  const source = keySourceOf({ ...none, file });
  expect(source).toEqual({ kind: 'file', privateKey: file });
  expect(addressOfKey(source)).toBe(address);
  expect(addressOfKey(keySourceOf({ ...none, url, address }))).toBe(address);
  const refusalOf = (settings: Partial<typeof none>) => () => keySourceOf({ ...none, ...settings });
  expect(refusalOf({})).toThrow(FriendlyError);
  expect(refusalOf({})).toThrow(/KEEPER_KEY_FILE is missing/);
  expect(() => keySourceOf({ ...none, file, url })).toThrow(/KEEPER_KEY_FILE and KEEPER_KEY_URL are both set/);
  expect(() => keySourceOf({ ...none, url })).toThrow(/KEEPER_KEY_ADDRESS is missing/);
});
