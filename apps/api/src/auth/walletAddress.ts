import { base58 } from '@scure/base';
import { type Address, getAddress, isHex } from 'viem';

/** A wallet in its canonical spelling: a checksummed EVM address, or the base58 key of 32 bytes of a Solana wallet. */
export type Wallet =
  | { readonly kind: 'evm'; readonly address: Address }
  | { readonly kind: 'solana'; readonly address: string };

/**
 * Read a wallet address. EVM: 20 bytes of hex; all lower and all upper case are accepted, mixed case must carry the
 * right checksum. Solana: base58 of exactly 32 bytes. Null for anything else.
 */
export function parseWalletAddress(text: string): Wallet | null {
  if (/^0x[0-9a-fA-F]{40}$/.test(text) && isHex(text)) {
    const address = getAddress(text.toLowerCase());
    const digits = text.slice(2);
    const isUniform = digits === digits.toLowerCase() || digits === digits.toUpperCase();
    return isUniform || text === address ? { kind: 'evm', address } : null;
  }
  return isSolanaKey(text) ? { kind: 'solana', address: text } : null;
}

/** Rows of the database know wallets in lower case, where case carries nothing. */
export function storedWalletAddressOf(wallet: Wallet): string {
  return wallet.kind === 'evm' ? wallet.address.toLowerCase() : wallet.address;
}

/** The address a position belongs to. @throws Error for a wallet of another chain, which no quote is made for. */
export function evmAddressOf(wallet: Wallet): Address {
  if (wallet.kind !== 'evm') throw new Error(`a ${wallet.kind} wallet has no address on this chain`);
  return wallet.address;
}

function isSolanaKey(text: string): boolean {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return false;
  return base58.decode(text).length === 32;
}
