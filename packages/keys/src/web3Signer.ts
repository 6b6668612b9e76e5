import { type Address, bytesToHex, isAddressEqual } from 'viem';
import { askRepeatedly } from './askRepeatedly.ts';
import type { KeyPlace } from './keySource.ts';
import { addressOfPoint } from './publicKeyAddress.ts';
import { numbersOfHex } from './recoveredSignature.ts';
import { type KeyHolder, signingTimeoutMs } from './remoteSigner.ts';

const path = '/api/v1/eth1';

/** Key at a remote signer with the HTTP interface of Web3Signer, which hashes the message with keccak-256 itself. */
export function web3Signer({ url }: Extract<KeyPlace, { readonly kind: 'web3signer' }>): KeyHolder {
  let identifier: string | null = null;
  const observeAddress = async (expected: Address): Promise<Address | null> => {
    const keys: unknown = JSON.parse(
      await askRepeatedly({ url: `${url}${path}/publicKeys`, method: 'GET' }, signingTimeoutMs),
    );
    for (const key of Array.isArray(keys) ? keys.map(String) : []) {
      const address = addressOfPoint(key);
      if (address !== null && isAddressEqual(address, expected)) {
        identifier = key;
        return address;
      }
    }
    return null;
  };
  return {
    name: 'the remote signer',
    implementation: 'web3signer',
    observeAddress,
    async sign({ message }) {
      if (identifier === null) throw new Error('the key was not looked up');
      const question = {
        url: `${url}${path}/sign/${identifier}`,
        method: 'POST' as const,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data: bytesToHex(message) }),
      };
      // The answer is the signature as plain text; some versions put it into quotes.
      return numbersOfHex((await askRepeatedly(question, signingTimeoutMs)).trim().replaceAll('"', ''));
    },
  };
}
