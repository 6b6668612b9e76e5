import { FriendlyError, randomHex } from '@core/runtime';
import { SigningKey } from '@core/vault';
import {
  depositWalletOf,
  type HttpVenueClient,
  isVenueFault,
  type OrderDomain,
  type VenueContracts,
  WalletRelayer,
} from '@core/venue';
import type { Address, Hex, LocalAccount, PublicClient } from 'viem';
import type { FillerAccount, FillerContracts } from '../chain/fillerAccount.ts';
import type { TransactionSender } from '../chain/transactionSender.ts';
import type { Journal } from '../journal/journal.ts';
import { DepositWallet } from './depositWallet.ts';
import { type OrderDomains, OwnAccount } from './orderMaker.ts';
import { readWallet } from './walletApprovals.ts';

/** Terms of deposit wallets, at a venue that takes orders of them alone. */
export interface WalletTerms {
  readonly contracts: Pick<VenueContracts, 'walletFactory' | 'walletBeacon'>;
  readonly walletDomain: OrderDomain;
  /** Origin of the venue's relayer, which creates wallets and carries their batches. */
  readonly relayerUrl: string;
  /** Key to it; null for an account whose wallet needs it no more. */
  readonly relayerKey: string | null;
}

/** Account of the filler with its contracts. */
export interface WalletOwner {
  readonly privateKey: Hex;
  readonly chainId: number;
  readonly contracts: FillerContracts;
}

/** Return the accounts of a filler: its own, and its deposit wallet where there is one. */
export function ownersOf(owner: Address, wallet: WalletTerms | undefined): readonly [Address, ...Address[]] {
  return wallet === undefined ? [owner] : [owner, depositWalletOf(owner, wallet.contracts)];
}

export interface MakerParts extends WalletOwner {
  readonly client: PublicClient;
  readonly signer: LocalAccount;
  readonly domains: OrderDomains;
  readonly wallet: WalletTerms | undefined;
  readonly account: FillerAccount;
  readonly sender: TransactionSender;
  readonly venue: HttpVenueClient;
  readonly journal: Pick<Journal, 'state'>;
  readonly nowMs: () => number;
}

/** Open the account that orders name. @throws FriendlyError when its deposit wallet is not set up. */
export async function openMaker(parts: MakerParts): Promise<OwnAccount | DepositWallet> {
  const { client, signer, contracts, wallet: terms } = parts;
  if (terms === undefined) return new OwnAccount(signer, parts.domains);
  const owner = new SigningKey(parts.privateKey);
  const wallet = depositWalletOf(owner.address, terms.contracts);
  const { isMade, tradeCalls, takeCalls } = await readWallet(client, { wallet, owner: owner.address, contracts });
  const text = `The deposit wallet ${wallet} of ${owner.address}`;
  if (!isMade) throw new FriendlyError(`${text} does not exist: run the command "wallet" first.`);
  if (tradeCalls.length > 0)
    throw new FriendlyError(`${text} has not approved the exchange: run the command "wallet".`);
  const isTakenByRelayer = takeCalls.length > 0;
  if (isTakenByRelayer && terms.relayerKey === null) {
    throw new FriendlyError(
      `${text} has not approved its owner: run the command "wallet", or set FILLER_RELAYER_KEY_FILE.`,
    );
  }
  return new DepositWallet({
    ...parts,
    wallet,
    owner,
    walletDomain: terms.walletDomain,
    relayer: isTakenByRelayer ? relayerOf(parts, terms, parts.nowMs) : null,
    leftTokenIds: [...parts.journal.state.markets.values()].flatMap((market) => [market.yesTokenId, market.noTokenId]),
    newId: () => randomHex(8),
  });
}

function relayerOf({ privateKey, chainId }: WalletOwner, terms: WalletTerms, nowMs: () => number): WalletRelayer {
  return new WalletRelayer({
    url: terms.relayerUrl,
    owner: new SigningKey(privateKey),
    relayerKey: terms.relayerKey ?? '',
    contracts: terms.contracts,
    walletDomain: terms.walletDomain,
    chainId,
    nowMs,
  });
}

/**
 * Create the deposit wallet of an account and its approvals, as far as they are missing. The approvals of the owner
 * come last and alone: a relayer that refuses them is needed for every order instead.
 *
 * @returns Lines that say what was done.
 * @throws FriendlyError without a relayer key while something is missing.
 */
export async function setUpWallet(
  owner: WalletOwner & Pick<MakerParts, 'client' | 'nowMs'>,
  terms: WalletTerms,
): Promise<readonly string[]> {
  const { client, contracts, privateKey } = owner;
  const { address } = new SigningKey(privateKey);
  const wallet = depositWalletOf(address, terms.contracts);
  const place = { wallet, owner: address, contracts };
  const before = await readWallet(client, place);
  const line = `deposit wallet ${wallet} of ${address}`;
  if (before.isMade && before.tradeCalls.length + before.takeCalls.length === 0) return [`${line} is ready`];
  if (terms.relayerKey === null) {
    throw new FriendlyError(`The ${line} is not ready: set FILLER_RELAYER_KEY_FILE to a file with the relayer's key.`);
  }
  const relayer = relayerOf(owner, terms, owner.nowMs);
  if (!before.isMade) await relayer.make();
  const { tradeCalls, takeCalls } = await readWallet(client, place);
  if (tradeCalls.length > 0) await relayer.execute(tradeCalls);
  const refusal = takeCalls.length === 0 ? null : await refusalOf(relayer.execute(takeCalls));
  return [
    `${line} is ready`,
    ...(refusal === null ? [] : [`the relayer refused to approve the owner, so each order takes a batch: ${refusal}`]),
  ];
}

/** Return the text with which a batch was refused; null when it was made. @throws anything else */
async function refusalOf(batch: Promise<Hex>): Promise<string | null> {
  try {
    await batch;
    return null;
  } catch (error) {
    if (isVenueFault(error) && error.kind === 'terminal') return error.message;
    throw error;
  }
}
