import { orderPurposes, positionStates } from '@core/position';
import { expect, test } from 'vitest';
import {
  OrderSide,
  PositionState,
  Purpose,
  positionStateNames,
  purposeNames,
  SignatureType,
} from '../generated/enums.ts';
import { vaultConstants } from '../generated/vaultConstants.ts';
import { positionStateNameOf, purposeNameOf, purposeOf } from './enumNames.ts';

test('contract and decisions have the same states and purposes in the same order', () => {
  expect(positionStateNames).toEqual(positionStates);
  expect(purposeNames).toEqual(orderPurposes);
});

test('every number has a name and converts back', () => {
  for (const [name, state] of Object.entries(PositionState)) {
    expect(positionStateNameOf(state)).toBe(name.toLowerCase());
  }
  for (const [name, purpose] of Object.entries(Purpose)) {
    expect(purposeNameOf(purpose)).toBe(name.toLowerCase());
    expect(purposeOf(purposeNameOf(purpose))).toBe(purpose);
  }
});

test('throws for an unknown number', () => {
  expect(() => positionStateNameOf(positionStateNames.length)).toThrow(RangeError);
  expect(() => purposeNameOf(-1)).toThrow(RangeError);
});

test('vault and exchange use the same numbers for sides and signature types', () => {
  expect(vaultConstants.sideBuy).toBe(OrderSide.Buy);
  expect(vaultConstants.sideSell).toBe(OrderSide.Sell);
  expect(vaultConstants.signatureTypeErc1271).toBe(SignatureType.Erc1271);
});
