import { Fault } from '@core/errors';
import { FriendlyError } from '@core/runtime';
import { SigningKey } from '@core/vault';
import { type Hex, stringToBytes } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  awsError,
  gcpError,
  type LocalHolder,
  publishPoint,
  startAwsKms,
  startGcpKms,
  startWeb3Signer,
} from '../testing/index.ts';
import { type KeyPlace, keyUrl } from './keySource.ts';
import { openSigner } from './openSigner.ts';

const privateKey: Hex = `0x${'42'.repeat(32)}`;
const otherKey: Hex = `0x${'43'.repeat(32)}`;
const local = new SigningKey(privateKey);
const { address } = local;
const keyId = 'alias/keeper';
const version = 'projects/p/locations/europe-west1/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1';

const kinds = {
  'aws-kms': {
    start: () => startAwsKms(privateKey, keyId),
    url: (holder: string) => `awskms:///${keyId}?region=eu-west-1&endpoint=${holder}`,
    throttled: awsError('ThrottlingException', 'Rate exceeded'),
    denied: awsError('AccessDeniedException', 'User is not authorized to perform kms:Sign'),
  },
  'gcp-kms': {
    start: () => startGcpKms(privateKey, version),
    url: (holder: string) => `gcpkms://${version}?endpoint=${holder}`,
    throttled: gcpError(429, 'RESOURCE_EXHAUSTED'),
    denied: gcpError(403, 'PERMISSION_DENIED'),
  },
  web3signer: {
    start: () => startWeb3Signer(privateKey),
    url: (holder: string) => `web3signer+${holder}`,
    throttled: { status: 503, body: '' },
    denied: { status: 403, body: '' },
  },
} as const;

describe.each(Object.entries(kinds))('%s', (implementation, kind) => {
  let holder: LocalHolder;
  let place: KeyPlace;
  beforeAll(async () => {
    holder = await kind.start();
    const read = keyUrl.read(kind.url(holder.url));
    if (read === undefined) throw new Error('the place must be readable');
    place = read;
    // The clients take their credentials from the environment of a program, and Google's from the machine.
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'id-of-a-test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-of-a-test');
    vi.stubEnv('GCE_METADATA_HOST', new URL(holder.url).host);
    vi.stubEnv('METADATA_SERVER_DETECTION', 'assume-present');
  });
  afterEach(() => {
    holder.faults.length = 0;
    holder.key = local;
    holder.hasHighS = false;
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await holder.close();
  });
  const open = () => openSigner({ kind: 'remote', place, address });

  test('signs a message like the key itself, whichever half s is in', async () => {
    const signer = await open();
    expect(signer).toMatchObject({ address, implementation });
    for (const text of ['', 'a', 'a longer message that no hash of 32 bytes holds as it is']) {
      const message = stringToBytes(text);
      expect(await signer.signMessage(message)).toBe(await local.signMessage(message));
      holder.hasHighS = true;
    }
  });

  test('a throttled call is repeated, and one that stays throttled is a retryable fault', async () => {
    const signer = await open();
    const message = stringToBytes('a message');
    holder.faults.push(kind.throttled);
    expect(await signer.signMessage(message)).toBe(await local.signMessage(message));
    holder.faults.push(...Array.from({ length: 3 }, () => kind.throttled));
    await expect(signer.signMessage(message)).rejects.toMatchObject({ origin: 'signer', kind: 'retryable' });
    expect(holder.faults).toEqual([]);
  });

  test('a refused call is a fault without another attempt', async () => {
    const signer = await open();
    const before = holder.requests.length;
    holder.faults.push(kind.denied);
    await expect(signer.signMessage(stringToBytes('a'))).rejects.toBeInstanceOf(Fault);
    expect(holder.requests).toHaveLength(before + 1);
  });

  test('a holder that does not answer is a retryable fault after the time for one signature', async () => {
    const signer = await open();
    holder.faults.push('hang', 'hang', 'hang');
    await expect(signer.signMessage(stringToBytes('a'))).rejects.toMatchObject({ kind: 'retryable' });
  });

  test('a key of another address is refused at the start and at every signature', async () => {
    const signer = await open();
    publishPoint(otherKey);
    holder.key = new SigningKey(otherKey);
    await expect(open()).rejects.toThrow(FriendlyError);
    await expect(open()).rejects.toThrow(address);
    await expect(signer.signMessage(stringToBytes('a'))).rejects.toMatchObject({ origin: 'signer', kind: 'retryable' });
  });

  test('a holder that is away ends the start with one line', async () => {
    const away = keyUrl.read(kind.url('http://127.0.0.1:9'));
    if (away === undefined) throw new Error('the place must be readable');
    await expect(openSigner({ kind: 'remote', place: away, address })).rejects.toThrow(/check the place of the key/);
  });
});

test('a key from a file signs in this process', async () => {
  const signer = await openSigner({ kind: 'file', privateKey });
  expect(signer).toMatchObject({ address, implementation: 'native' });
});
