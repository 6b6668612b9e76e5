import { FriendlyError } from '@core/runtime';
import { Role, vaultAbi } from '@core/vault';
import { type Address, encodeFunctionData, type Hex, isAddress, isAddressEqual, isHex, size, zeroAddress } from 'viem';
import { hasRole, loanOf, quoteSignerOf, signersOf } from './readVault.ts';
import type { OperatedVault } from './sendCall.ts';

/** Call of the vault, with the role that may send it. */
export interface VaultCall {
  readonly by: 'guardian or owner' | 'owner';
  readonly data: Hex;
  /** Read what the call changes. */
  readonly observe: (vault: OperatedVault) => Promise<object>;
  /** Refuse a call that changes nothing, or for which no order of calls is right. @throws FriendlyError then. */
  readonly check?: (vault: OperatedVault) => Promise<void>;
}

/** Roles that several addresses have, by their names in a command. */
const roles = new Map<string, Role>([
  ['keeper', Role.Keeper],
  ['price-signer', Role.PriceSigner],
  ['oracle', Role.Oracle],
]);

/** Word that leaves the vault without a quote signer. */
const noSigner = 'none';

/**
 * Return the call of a verb of `operate vault`.
 * @throws FriendlyError for an unknown verb or wrong arguments.
 */
export function vaultCallOf(verb: string, words: readonly string[]): VaultCall {
  switch (verb) {
    case 'raise-alarm': {
      const data = encodeFunctionData({ abi: vaultAbi, functionName: 'raiseAlarm' });
      return { by: 'guardian or owner', data, observe: signersOf };
    }
    case 'set-role':
      return roleCallOf(words);
    case 'set-quote-signer':
      return quoteSignerCallOf(words);
    case 'threshold': {
      const args = [thresholdIn(words)] as const;
      const data = encodeFunctionData({ abi: vaultAbi, functionName: 'setPriceThreshold', args });
      return { by: 'owner', data, observe: signersOf };
    }
    case 'impair':
      return impairCallOf(words, true);
    case 'clear':
      return impairCallOf(words, false);
    default:
      throw new FriendlyError(`operate vault has no call ${verb}`);
  }
}

function roleCallOf([name = '', text, appointment]: readonly string[]): VaultCall {
  const role = roles.get(name);
  if (role === undefined) throw new FriendlyError(`expected a role: ${[...roles.keys()].join(', ')}`);
  if (appointment !== 'yes' && appointment !== 'no') throw new FriendlyError('expected yes or no behind the address');
  const account = accountIn(text, `the ${name}`);
  const isMember = appointment === 'yes';
  const isOfGuardian = !isMember && role !== Role.Oracle;
  return {
    by: isOfGuardian ? 'guardian or owner' : 'owner',
    data: encodeFunctionData({ abi: vaultAbi, functionName: 'setRole', args: [role, account, isMember] }),
    observe: async (vault) => ({ role: name, address: account, has_role: await hasRole(vault, role, account) }),
    check: async (vault) => {
      if ((await hasRole(vault, role, account)) === isMember) {
        throw new FriendlyError(`${account} is ${isMember ? 'already' : 'not'} a ${name} of the vault: nothing to do`);
      }
      if (isMember && role !== Role.Oracle) await requireFree(vault, account);
    },
  };
}

function quoteSignerCallOf([text]: readonly string[]): VaultCall {
  const isNone = text === noSigner;
  const account = isNone ? zeroAddress : accountIn(text, 'the quote signer');
  return {
    by: isNone ? 'guardian or owner' : 'owner',
    data: encodeFunctionData({ abi: vaultAbi, functionName: 'setQuoteSigner', args: [account] }),
    observe: async (vault) => ({ quote_signer: await quoteSignerOf(vault) }),
    check: async (vault) => {
      if (isAddressEqual(await quoteSignerOf(vault), account)) {
        throw new FriendlyError(`${account} is already the quote signer of the vault: nothing to do`);
      }
      await requireFree(vault, account);
    },
  };
}

/** Check that an address is neither keeper, price signer nor quote signer. @throws FriendlyError otherwise. */
async function requireFree(vault: OperatedVault, account: Address): Promise<void> {
  const [quoteSigner, isKeeper, isPriceSigner] = await Promise.all([
    quoteSignerOf(vault),
    hasRole(vault, Role.Keeper, account),
    hasRole(vault, Role.PriceSigner, account),
  ]);
  const isQuoteSigner = account !== zeroAddress && isAddressEqual(quoteSigner, account);
  if (!isKeeper && !isPriceSigner && !isQuoteSigner) return;
  const name = isQuoteSigner ? 'quote signer' : isKeeper ? 'keeper' : 'price signer';
  throw new FriendlyError(`${account} is the ${name}, and an address has one role: appoint another key`);
}

function impairCallOf(words: readonly string[], isOn: boolean): VaultCall {
  const positionKey = positionKeyIn(words);
  return {
    by: isOn ? 'guardian or owner' : 'owner',
    data: encodeFunctionData({ abi: vaultAbi, functionName: 'impair', args: [positionKey, isOn] }),
    observe: (vault) => loanOf(vault, positionKey),
  };
}

/** Parse an address. @throws FriendlyError for any other text, a wrong checksum and the zero address. */
function accountIn(text: string | undefined, subject: string): Address {
  if (text === undefined || !isAddress(text)) throw new FriendlyError(`expected the address of ${subject}`);
  if (isAddressEqual(text, zeroAddress)) throw new FriendlyError(`the zero address cannot be ${subject}: name a key`);
  return text;
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
