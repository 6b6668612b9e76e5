import { pricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { decodeFunctionData, encodeFunctionData } from 'viem';
import { expect, test } from 'vitest';
import { anyCreatePositionFields, anyUint16, anyUint32, anyUint256 } from '../../testing/arbitraries.ts';
import { vaultAbi } from '../generated/vaultAbi.ts';
import { toCreateRequestStruct } from './createRequest.ts';

const anyLimits = fc.record({
  venueFeeUsdcUnits: anyUint256.map(usdcUnits),
  minPositionTokenUnits: anyUint256.map(tokenUnits),
  maxLiquidationPricePips: anyUint32.map(pricePips),
  minFillBps: anyUint16.map(rateBps),
});

test('the struct survives the encoding of the contract call', () => {
  fc.assert(
    fc.property(anyCreatePositionFields, anyLimits, (fields, limits) => {
      const request = toCreateRequestStruct(fields, limits);
      const data = encodeFunctionData({ abi: vaultAbi, functionName: 'createPosition', args: [request, '0x'] });
      const { args } = decodeFunctionData({ abi: vaultAbi, data });
      expect(args?.[0]).toEqual(request);
    }),
    { numRuns: 50 },
  );
});
