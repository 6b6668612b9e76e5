import { encodeErrorResult, type Hex, parseAbi, toFunctionSelector } from 'viem';
import { expect, test } from 'vitest';
import { liquidityPoolAbi } from '../generated/liquidityPoolAbi.ts';
import { orderRulesAbi } from '../generated/orderRulesAbi.ts';
import { positionAccountAbi } from '../generated/positionAccountAbi.ts';
import { revertErrors } from '../generated/revertErrors.ts';
import { testUsdcAbi } from '../generated/testUsdcAbi.ts';
import { vaultAbi } from '../generated/vaultAbi.ts';
import { errorNameOf, explainRevert } from './explainRevert.ts';

test('errorNameOf: names errors of vault, pool and language', () => {
  const live = encodeErrorResult({ abi: vaultAbi, errorName: 'OrderLive', args: [5n] });
  const exceeded = encodeErrorResult({ abi: liquidityPoolAbi, errorName: 'LiquidityExceeded', args: [2n, 1n] });
  const text = encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: ['no'] });
  expect([live, exceeded, text].map(errorNameOf)).toEqual(['OrderLive', 'LiquidityExceeded', 'Error']);
  expect(errorNameOf(live.toUpperCase().replace('0X', '0x') as Hex)).toBe('OrderLive');
});

test('errorNameOf: null for an unknown error', () => {
  expect(errorNameOf('0x12345678')).toBeNull();
  expect(errorNameOf('0x')).toBeNull();
});

test('explainRevert: returns name, sentence and values', () => {
  const exceeded = encodeErrorResult({ abi: liquidityPoolAbi, errorName: 'LiquidityExceeded', args: [2n, 1n] });
  const { sentence } = revertErrors[toFunctionSelector('LiquidityExceeded(uint256,uint256)') as '0x4e487b71'];
  expect(explainRevert(exceeded)).toEqual({ name: 'LiquidityExceeded', sentence, args: [2n, 1n] });
  const text = encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: ['no'] });
  expect(explainRevert(text)).toMatchObject({ name: 'Error', args: ['no'] });
  expect(explainRevert('0x4e487b71')).toMatchObject({ name: 'Panic', args: [] });
  expect(explainRevert('0x12345678')).toBeNull();
});

test('every error that pool, account and token may return to the vault is in its ABI and has a sentence', () => {
  const errorsOf = (abi: readonly { readonly type: string; readonly name?: string }[]) =>
    abi.flatMap((entry) => (entry.type === 'error' && entry.name !== undefined ? [entry.name] : []));
  const own = new Set(errorsOf(vaultAbi));
  const foreign = [liquidityPoolAbi, positionAccountAbi, testUsdcAbi, orderRulesAbi].flatMap(errorsOf);
  expect(foreign.filter((name) => !own.has(name))).toEqual([]);
  const explained = new Set<string>(Object.values(revertErrors).map(({ name }) => name));
  expect([...own].filter((name) => !explained.has(name))).toEqual([]);
  expect(Object.values(revertErrors).filter(({ sentence }) => !/^\w.*[.)]$/.test(sentence))).toEqual([]);
});
