import { FriendlyError } from '@core/runtime';
import { Role, vaultAbi } from '@core/vault';
import { encodeFunctionData, type Hex, isAddress, isHex, size } from 'viem';

/** Call of the vault, with the role that may send it. */
export interface VaultCall {
  readonly by: 'guardian or owner' | 'owner';
  readonly data: Hex;
}

/**
 * Return the call of a verb of `operate vault`.
 * @throws FriendlyError for an unknown verb or wrong arguments.
 */
export function vaultCallOf(verb: string, words: readonly string[]): VaultCall {
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
      throw new FriendlyError(`operate vault has no verb ${verb}`);
  }
}

function signerData([address]: readonly string[], isMember: boolean): Hex {
  if (address === undefined || !isAddress(address)) throw new FriendlyError('expected the address of the price signer');
  const args = [Role.PriceSigner, address, isMember] as const;
  return encodeFunctionData({ abi: vaultAbi, functionName: 'setRole', args });
}

function impairData(words: readonly string[], isOn: boolean): Hex {
  return encodeFunctionData({ abi: vaultAbi, functionName: 'impair', args: [positionKeyIn(words), isOn] });
}

/** Parse the first word as a position key. @throws FriendlyError for any other text. */
export function positionKeyIn([positionKey]: readonly string[]): Hex {
  if (isHex(positionKey) && size(positionKey) === 32) return positionKey;
  throw new FriendlyError('expected the key of the position: 0x and 64 hexadecimal digits');
}

function thresholdIn([text]: readonly string[]): bigint {
  if (text === undefined || !/^[1-9][0-9]?$/.test(text))
    throw new FriendlyError('expected the number of required signatures');
  return BigInt(text);
}
