import { type Codec, FriendlyError } from '@core/runtime';
import type { Address, Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

/** Place of a private key outside of this machine. */
export type KeyPlace =
  | {
      readonly kind: 'aws';
      /** Key ID, ARN or alias. */
      readonly keyId: string;
      readonly region: string | null;
      /** Origin other than the public one of the service. */
      readonly endpoint: string | null;
    }
  | {
      readonly kind: 'gcp';
      /** `projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/…` */
      readonly version: string;
      readonly endpoint: string | null;
    }
  | {
      readonly kind: 'web3signer';
      /** Without a slash at the end. */
      readonly url: string;
    };

/** Key of a program: its private part from a file, or its place and its address. */
export type KeySource =
  | { readonly kind: 'file'; readonly privateKey: Hex }
  | { readonly kind: 'remote'; readonly place: KeyPlace; readonly address: Address };

const gcpVersion = /^projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+\/cryptoKeys\/[^/]+\/cryptoKeyVersions\/\d+$/;

/** Place of a key as a URL: the scheme names the kind of its holder. */
export const keyUrl: Codec<KeyPlace> = {
  expects:
    'awskms:///<key ID, ARN or alias>?region=…, gcpkms://projects/…/cryptoKeyVersions/1 or ' +
    'web3signer+https://<host>:<port>',
  read: (text) => {
    const url = URL.parse(text);
    if (url === null) return undefined;
    const endpoint = url.searchParams.get('endpoint');
    switch (url.protocol) {
      case 'awskms:': {
        const keyId = decodeURIComponent(url.pathname.slice(1));
        const region = url.searchParams.get('region');
        return url.host === '' && keyId !== '' ? { kind: 'aws', keyId, region, endpoint } : undefined;
      }
      case 'gcpkms:': {
        const version = `${url.host}${url.pathname}`;
        return gcpVersion.test(version) ? { kind: 'gcp', version, endpoint } : undefined;
      }
      case 'web3signer+http:':
      case 'web3signer+https:':
        return { kind: 'web3signer', url: text.slice('web3signer+'.length).replace(/\/$/, '') };
      default:
        return undefined;
    }
  },
};

/** Return the address of a key. */
export function addressOfKey(source: KeySource): Address {
  return source.kind === 'file' ? privateKeyToAddress(source.privateKey) : source.address;
}

/**
 * Return the one source of a key from its three settings.
 * @throws FriendlyError when there is none, when there are two, or when a place has no address.
 */
export function keySourceOf(settings: {
  /** Beginning of their names, such as `KEEPER_KEY`. */
  readonly name: string;
  readonly file: Hex | undefined;
  readonly url: KeyPlace | undefined;
  readonly address: Address | undefined;
}): KeySource {
  const { name, file, url, address } = settings;
  if (file !== undefined && url !== undefined) {
    throw new FriendlyError(`${name}_FILE and ${name}_URL are both set: remove the one that holds no key`);
  }
  if (file !== undefined) return { kind: 'file', privateKey: file };
  if (url === undefined) {
    throw new FriendlyError(`${name}_FILE is missing: set it to a file with the key, or ${name}_URL to its place`);
  }
  if (address === undefined) {
    throw new FriendlyError(`${name}_ADDRESS is missing: set it to the address of the key at ${name}_URL`);
  }
  return { kind: 'remote', place: url, address };
}
