import { type Address, type Hex, toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

/** The public test mnemonic: its keys are known to everyone and guard nothing but local money. */
export const localMnemonic = 'test test test test test test test test test test test junk';

/** Single roles in the order of the mnemonic's accounts; the venue's makers and takers follow them. */
const singleRoleNames = [
  'owner',
  'guardian',
  'quoteSigner',
  'priceSigner',
  'secondPriceSigner',
  'keeper',
  'keeperStandby',
  'oracle',
  'venueOperator',
  'venueFeeRecipient',
  'treasury',
  'lp',
  'alice',
  'bob',
  'carol',
  'dave',
  'erin',
] as const;

const makerCount = 4;
const takerCount = 4;

/** How many of the mnemonic's accounts hold native currency on the local chain. */
export const localAccountCount = 32;

export interface LocalAccount {
  readonly address: Address;
  readonly privateKey: Hex;
}

export type LocalRoles = Readonly<Record<(typeof singleRoleNames)[number], LocalAccount>> & {
  /** Market makers of the venue simulator. */
  readonly makers: readonly LocalAccount[];
  /** Takers of the venue simulator. */
  readonly takers: readonly LocalAccount[];
};

/** The account of the mnemonic at an index (path m/44'/60'/0'/0/index). */
function localAccountOf(index: number): LocalAccount {
  const account = mnemonicToAccount(localMnemonic, { addressIndex: index });
  const privateKey = account.getHdKey().privateKey;
  if (privateKey === null) throw new Error('the mnemonic yields no private key');
  return { address: account.address, privateKey: toHex(privateKey) };
}

/** Every role with its account, always the same ones. */
export function localRoles(): LocalRoles {
  const singles = Object.fromEntries(singleRoleNames.map((name, index) => [name, localAccountOf(index)]));
  const firstMaker = singleRoleNames.length;
  const firstTaker = firstMaker + makerCount;
  return {
    ...(singles as Record<(typeof singleRoleNames)[number], LocalAccount>),
    makers: Array.from({ length: makerCount }, (_, index) => localAccountOf(firstMaker + index)),
    takers: Array.from({ length: takerCount }, (_, index) => localAccountOf(firstTaker + index)),
  };
}
