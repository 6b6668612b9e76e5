import { FriendlyError } from '@core/runtime';
import { Role, vaultAbi } from '@core/vault';
import { type Address, encodeFunctionData, type Hex, isAddress, isHex, size } from 'viem';

/** A call of the vault, and whose it is to make. */
export interface VaultCall {
  readonly by: 'guardian or owner' | 'owner';
  readonly data: Hex;
}

/**
 * The call that a verb of `operate vault` stands for; null when there is no such verb.
 *
 * @throws FriendlyError when what follows the verb is not what it needs.
 */
export function vaultCallOf(verb: string, words: readonly string[]): VaultCall | null {
  switch (verb) {
    case 'raise-alarm':
      return { by: 'guardian or owner', data: encodeFunctionData({ abi: vaultAbi, functionName: 'raiseAlarm' }) };
    case 'remove-signer':
      return { by: 'guardian or owner', data: signerData(words, false) };
    case 'add-signer':
      return { by: 'owner', data: signerData(words, true) };
    case 'threshold': {
      const args = [thresholdIn(words)] as const;
      return { by: 'owner', data: encodeFunctionData({ abi: vaultAbi, functionName: 'setPriceThreshold', args }) };
    }
    case 'impair':
      return { by: 'guardian or owner', data: impairData(words, true) };
    case 'clear':
      return { by: 'owner', data: impairData(words, false) };
    default:
      return null;
  }
}

function signerData([address]: readonly string[], isMember: boolean): Hex {
  if (address === undefined || !isAddress(address)) throw new FriendlyError('name the address of the price signer');
  const args = [Role.PriceSigner, address as Address, isMember] as const;
  return encodeFunctionData({ abi: vaultAbi, functionName: 'setRole', args });
}

function impairData(words: readonly string[], isOn: boolean): Hex {
  return encodeFunctionData({ abi: vaultAbi, functionName: 'impair', args: [positionKeyIn(words), isOn] });
}

/** @throws FriendlyError when the first word is no position's key. */
export function positionKeyIn([positionKey]: readonly string[]): Hex {
  if (isHex(positionKey) && size(positionKey) === 32) return positionKey;
  throw new FriendlyError('name the key of the position: 0x and 64 hexadecimal digits');
}

function thresholdIn([text]: readonly string[]): bigint {
  if (text === undefined || !/^[1-9][0-9]?$/.test(text)) throw new FriendlyError('name how many signatures are needed');
  return BigInt(text);
}
