import { Fault } from '@core/errors';
import { FriendlyError } from '@core/runtime';
import { type Keccak256, type Signer, SigningKey } from '@core/vault';
import type { KeyPlace, KeySource } from './keySource.ts';
import { type KeyHolder, remoteSigner } from './remoteSigner.ts';

/** Open the holder of a place. The client of a service that is not used is never loaded. */
async function holderOf(place: KeyPlace): Promise<KeyHolder> {
  switch (place.kind) {
    case 'aws':
      return (await import('./awsKms.ts')).awsKms(place);
    case 'gcp':
      return (await import('./gcpKms.ts')).gcpKms(place);
    case 'web3signer':
      return (await import('./web3Signer.ts')).web3Signer(place);
  }
}

/**
 * Open the signer of a key.
 * @param keccak256 Hash function of a key from a file.
 * @throws FriendlyError when the holder does not answer or its key has another address.
 */
export async function openSigner(source: KeySource, keccak256?: Keccak256): Promise<Signer> {
  if (source.kind === 'file') return new SigningKey(source.privateKey, keccak256);
  try {
    return await remoteSigner(await holderOf(source.place), source.address);
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause;
    throw new FriendlyError(`${cause.message}: check the place of the key, its address and the right to use it`, {
      cause,
    });
  }
}
