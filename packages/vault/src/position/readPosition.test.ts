import {
  type Abi,
  type Address,
  createPublicClient,
  custom,
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem';
import { expect, test } from 'vitest';
import { conditionalTokensAbi } from '../generated/conditionalTokensAbi.ts';
import { PositionState, Purpose } from '../generated/enums.ts';
import { vaultAbi } from '../generated/vaultAbi.ts';
import { venueExchangeAbi } from '../generated/venueExchangeAbi.ts';
import { readPositionTerms } from './positionTerms.ts';
import { readPosition } from './readPosition.ts';

const addressOf = (digits: string): Address => `0x${digits.repeat(20)}`;
const contracts = {
  vault: addressOf('aa'),
  conditionalTokens: addressOf('bb'),
  exchange: addressOf('cc'),
  positionManager: addressOf('ee'),
};
const positionKey: Hex = `0x${'11'.repeat(32)}`;
const conditionId: Hex = `0x${'22'.repeat(32)}`;
const orderHash: Hex = `0x${'33'.repeat(32)}`;
const holding = { account: addressOf('dd'), conditionId, tokenId: 7n };
const blockNumber = 12n;

/** Position as the vault returns it; fields that the reader ignores are zero. */
const storedPosition = {
  user: zeroAddress,
  state: PositionState.Open as number,
  outcomeId: 5,
  originationFeeBps: 0,
  lifetimeFeeAprBps: 0,
  liquidationFeeBps: 0,
  maxLiquidationPricePips: 0,
  minFillBps: 0,
  exitBufferBps: 0,
  closeMinPricePips: 4_900,
  cancelRequested: false,
  collateralUsdcUnits: 0n,
  notionalUsdcUnits: 100_000_000n,
  venueFeeUsdcUnits: 0n,
  principalUsdcUnits: 0n,
  pendingFeeUsdcUnits: 0n,
  filledUsdcUnits: 60_000_000n,
  minPositionTokenUnits: 0n,
  originalTokenUnits: 0n,
  tokenUnits: 200_000_000n,
  closeTokenUnits: 40_000_000n,
  badDebtUsdcUnits: 0n,
  createdAt: 1_689_999_000,
  since: 1_690_000_000,
};

const defaults: Readonly<Record<string, unknown>> = {
  positionOf: storedPosition,
  liveOrderOf: { orderHash, purpose: Purpose.None, makerAmount: 0n, validUntil: 0 },
  debtOf: [30_000_000n, 5n],
  liquidationPriceOf: 2_700n,
  accountOf: holding.account,
  outcomeOf: { conditionId, tokenId: 7n, indexSet: 1, ledger: 0 },
  balanceOf: 250_000_000n,
  payoutDenominator: 0n,
  getMaxFeeRate: 500n,
};

const abiOf: Readonly<Record<Address, Abi>> = {
  [contracts.vault]: vaultAbi,
  [contracts.conditionalTokens]: conditionalTokensAbi,
  [contracts.exchange]: venueExchangeAbi,
};

/** Build a client of a chain that answers each view as the test says and records the calls. */
function chainOf(answers: Readonly<Record<string, unknown>> = {}) {
  const calls: { readonly functionName: string; readonly atBlock: string }[] = [];
  const call = ([{ to, data }, atBlock]: readonly [{ to: Address; data: Hex }, string]): Hex => {
    const abi = abiOf[to] ?? [];
    const { functionName } = decodeFunctionData({ abi, data });
    calls.push({ functionName, atBlock });
    return encodeFunctionResult({ abi, functionName, result: { ...defaults, ...answers }[functionName] });
  };
  const transport = custom({
    request: async ({ method, params }) =>
      method === 'eth_call' ? call(params) : { number: toHex(blockNumber), timestamp: toHex(1_700_000_000n) },
  });
  return { client: createPublicClient({ transport }), calls };
}

test('booked tokens and account tokens are separate figures', async () => {
  const { client, calls } = chainOf();
  const position = await readPosition(client, { contracts, positionKey, known: holding });
  expect(position).toEqual({
    positionKey,
    blockNumber,
    blockTimeMs: 1_700_000_000_000,
    state: 'open',
    outcomeId: 5,
    conditionId,
    tokenId: 7n,
    isCancelRequested: false,
    notionalUsdcUnits: 100_000_000n,
    collateralUsdcUnits: 0n,
    filledUsdcUnits: 60_000_000n,
    closeTokenUnits: 40_000_000n,
    closeMinPricePips: 4_900n,
    bookedTokenUnits: 200_000_000n,
    accountTokenUnits: 250_000_000n,
    principalUsdcUnits: 30_000_000n,
    debtUsdcUnits: 30_000_005n,
    owesSinceMs: 1_690_000_000_000,
    liquidationPricePips: 2_700n,
    maxVenueFeeBps: 500n,
    isDecided: false,
    liveOrder: null,
  });
  expect(new Set(calls.map(({ atBlock }) => atBlock))).toEqual(new Set([toHex(blockNumber)]));
});

test('the terms alone equal those of the whole position', async () => {
  const { accountTokenUnits, liveOrder, ...terms } = await readPosition(chainOf().client, {
    contracts,
    positionKey,
    known: holding,
  });
  const { client, calls } = chainOf();
  expect(await readPositionTerms(client, { contracts, positionKey })).toEqual(terms);
  expect([accountTokenUnits, liveOrder]).toEqual([250_000_000n, null]);
  expect(new Set(calls.map(({ atBlock }) => atBlock))).toEqual(new Set([toHex(blockNumber)]));
});

test('a current outcome saves reading the position first', async () => {
  const { client, calls } = chainOf();
  const outcome = { outcomeId: 5, conditionId, tokenId: 7n };
  const terms = await readPositionTerms(client, { contracts, positionKey, expected: outcome });
  expect(terms).toEqual(await readPositionTerms(chainOf().client, { contracts, positionKey }));
  const functionNames = calls.map(({ functionName }) => functionName).toSorted();
  expect(functionNames).toEqual([
    'debtOf',
    'getMaxFeeRate',
    'liquidationPriceOf',
    'outcomeOf',
    'payoutDenominator',
    'positionOf',
  ]);
});

test.each([
  ['the position is in another', { outcomeId: 4, conditionId, tokenId: 7n }],
  ['the registry has another market', { outcomeId: 5, conditionId: orderHash, tokenId: 7n }],
  ['the registry has another token', { outcomeId: 5, conditionId, tokenId: 8n }],
])('an outcome is not trusted where %s', async (_name, expected) => {
  const terms = await readPositionTerms(chainOf().client, { contracts, positionKey, expected });
  expect(terms).toEqual(await readPositionTerms(chainOf().client, { contracts, positionKey }));
});

test.each([
  ['an unused order', [false, 0n], 0n],
  ['one that is filled', [true, 0n], 80n],
  ['one that is filled in part', [false, 30n], 50n],
  ['a status that the order cannot have', [false, 81n], 0n],
] as const)('of %s the filled part of what it gives', async (_name, getOrderStatus, filled) => {
  const liveOrder = { orderHash, makerAmount: 80n, validUntil: 1_700_000_060 };
  const readWith = (purpose: Purpose) =>
    readPosition(chainOf({ liveOrderOf: { ...liveOrder, purpose }, getOrderStatus }).client, {
      contracts,
      positionKey,
      known: holding,
    });
  const common = { orderHash, validUntilMs: 1_700_000_060_000, isOver: getOrderStatus[0] };
  expect((await readWith(Purpose.Open)).liveOrder).toEqual({ ...common, purpose: 'open', filledUsdcUnits: filled });
  expect((await readWith(Purpose.Close)).liveOrder).toEqual({ ...common, purpose: 'close', filledTokenUnits: filled });
});

test('a grant is a live order with a zero hash, filled as in the vault', async () => {
  const grant = {
    mostUnits: 80n,
    filledUnits: 50n,
    startsAt: 1_700_000_000,
    validFor: 12,
    endsAt: 1_700_000_012,
    startPips: 5_000,
    limitPips: 5_100,
    venueFeeBps: 300,
    markPips: 5_000,
  };
  const readWith = (purpose: Purpose) => {
    const liveOrderOf = { orderHash: zeroHash, makerAmount: 80n, validUntil: 1_700_000_012, purpose };
    const { client, calls } = chainOf({ liveOrderOf, grantOf: { ...grant, purpose } });
    return readPosition(client, { contracts, positionKey, known: holding }).then(({ liveOrder }) => ({
      liveOrder,
      isExchangeAsked: calls.some(({ functionName }) => functionName === 'getOrderStatus'),
    }));
  };
  const common = { orderHash: zeroHash, validUntilMs: 1_700_000_012_000, isOver: false };
  expect(await readWith(Purpose.Open)).toEqual({
    liveOrder: { ...common, purpose: 'open', filledUsdcUnits: 50n },
    isExchangeAsked: false,
  });
  expect(await readWith(Purpose.Unwind)).toEqual({
    liveOrder: { ...common, purpose: 'unwind', filledTokenUnits: 50n },
    isExchangeAsked: false,
  });
});

test('throws for a state that the contract does not have', async () => {
  const { client } = chainOf({ positionOf: { ...storedPosition, state: 8 } });
  await expect(readPosition(client, { contracts, positionKey, known: holding })).rejects.toThrow(RangeError);
});
