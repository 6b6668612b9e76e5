import { type Address, type Hex, toHex } from 'viem';
import { mnemonicToAccount, privateKeyToAddress } from 'viem/accounts';
import { recordOf } from './recordOf.ts';

/** The public test mnemonic: its keys are known to everyone and guard nothing but local money. */
export const localMnemonic = 'test test test test test test test test test test test junk';

/** Single roles in the order of the mnemonic's accounts; the venue's makers, takers and fillers follow them. */
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
const fillerCount = 2;

/** Number of the mnemonic's accounts that hold native currency on the local chain. */
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
  /** Fillers of grants, each with a float. */
  readonly fillers: readonly LocalAccount[];
};

let accounts: readonly LocalAccount[] | null = null;

/**
 * The accounts of the mnemonic, paths m/44'/60'/0'/0/0 and following. The seed behind them takes most of their time: it
 * is derived once in a process.
 */
export function localAccounts(): readonly LocalAccount[] {
  accounts ??= derivedAccounts();
  return accounts;
}

function derivedAccounts(): readonly LocalAccount[] {
  const branch = mnemonicToAccount(localMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey();
  return Array.from({ length: localAccountCount }, (_, index) => {
    const { privateKey: bytes } = branch.deriveChild(index);
    if (bytes === null) throw new Error('the mnemonic yields no private key');
    const privateKey = toHex(bytes);
    return { address: privateKeyToAddress(privateKey), privateKey };
  });
}

function localAccountOf(index: number): LocalAccount {
  const account = localAccounts()[index];
  if (account === undefined) throw new Error(`the local chain has no account ${index}`);
  return account;
}

/** Every role with its account, always the same ones. */
export function localRoles(): LocalRoles {
  const singles = recordOf(singleRoleNames, (name) => localAccountOf(singleRoleNames.indexOf(name)));
  const firstMaker = singleRoleNames.length;
  const firstTaker = firstMaker + makerCount;
  return {
    ...singles,
    makers: Array.from({ length: makerCount }, (_, index) => localAccountOf(firstMaker + index)),
    takers: Array.from({ length: takerCount }, (_, index) => localAccountOf(firstTaker + index)),
    fillers: Array.from({ length: fillerCount }, (_, index) => localAccountOf(firstTaker + takerCount + index)),
  };
}
