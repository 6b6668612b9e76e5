import { describe, expect, test } from 'vitest';
import { parseWalletAddress, storedWalletAddressOf } from './walletAddress.ts';

const checksummed = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const solana = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';

describe('EVM', () => {
  test.each([checksummed, checksummed.toLowerCase(), `0x${checksummed.slice(2).toUpperCase()}`])(
    'accepts %s',
    (text) => {
      expect(parseWalletAddress(text)).toEqual({ kind: 'evm', address: checksummed });
    },
  );

  test.each([
    '0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    checksummed.slice(0, -1),
    `${checksummed}0`,
    checksummed.slice(2),
    `0X${checksummed.slice(2)}`,
    ` ${checksummed}`,
    '',
    '0x',
  ])('refuses %s', (text) => {
    expect(parseWalletAddress(text)).toBeNull();
  });
});

describe('Solana', () => {
  test('accepts the base58 form of 32 bytes and keeps its case', () => {
    expect(parseWalletAddress(solana)).toEqual({ kind: 'solana', address: solana });
    expect(parseWalletAddress('11111111111111111111111111111111')).toEqual({
      kind: 'solana',
      address: '11111111111111111111111111111111',
    });
  });

  test.each([`${solana}1`, solana.slice(1, 40), '0OIl', 'z'.repeat(44)])('refuses %s', (text) => {
    expect(parseWalletAddress(text)).toBeNull();
  });
});

test('rows know EVM wallets in lower case', () => {
  expect(storedWalletAddressOf({ kind: 'evm', address: checksummed })).toBe(checksummed.toLowerCase());
  expect(storedWalletAddressOf({ kind: 'solana', address: solana })).toBe(solana);
});
