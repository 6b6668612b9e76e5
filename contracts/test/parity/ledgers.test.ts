import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  conditionIdOf,
  errorNameOf,
  isManagedToken,
  type LedgerContracts,
  managedTokenIdsOf,
  readIsDecided,
  readManagedContracts,
  readShares,
  readTokenUnits,
  tokenIdsOf,
  vaultAbi,
} from '@core/vault';
import * as fc from 'fast-check';
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  parseAbi,
  slice,
  toHex,
  zeroAddress,
} from 'viem';
import { deployLocal, LocalDriver, startLocalChain } from '../../local/index.ts';
import '../../../vitest.setup.ts';

const venueAbi = parseAbi([
  'function initializeRequest(bytes29 eventId, address targetContract)',
  'function resolveResult(bytes32 requestId, uint256 yesShare)',
  'function addModule(uint256 moduleId, address module)',
]);

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let driver: LocalDriver;

before(async () => {
  chain = await startLocalChain({ blockIntervalMs: 0 });
  driver = new LocalDriver({ rpcUrl: chain.rpcUrl, deployment: await deployLocal({ rpcUrl: chain.rpcUrl }) });
});

after(() => chain.close());

const send = (to: Address, data: Hex) => driver.rpc.send(driver.deployment.roles.bob, { to, data });

const conditionOf = (hash: bigint): Hex => numberToHex((1n << 248n) | (hash << 120n), { size: 32 });

/** Ask for the result of a condition, and register both of its outcomes. */
async function openManaged(hash: bigint): Promise<Hex> {
  const { oracleAggregator, binaryModule, vault } = driver.deployment.contracts;
  const conditionId = conditionOf(hash);
  const args = [slice(conditionId, 0, 29), binaryModule] as const;
  await send(oracleAggregator, encodeFunctionData({ abi: venueAbi, functionName: 'initializeRequest', args }));
  for (const index of [0n, 1n]) {
    const registration = [slice(conditionId, 0, 31), index] as const;
    const data = encodeFunctionData({ abi: vaultAbi, functionName: 'registerManagedOutcome', args: registration });
    await send(vault, data);
  }
  return conditionId;
}

async function resolve(conditionId: Hex, yesShare: bigint): Promise<void> {
  const args = [conditionId, yesShare] as const;
  const data = encodeFunctionData({ abi: venueAbi, functionName: 'resolveResult', args });
  await send(driver.deployment.contracts.oracleAggregator, data);
}

async function setModule(module: Address): Promise<void> {
  const data = encodeFunctionData({ abi: venueAbi, functionName: 'addModule', args: [1n, module] });
  await send(driver.deployment.contracts.positionManager, data);
}

/** Name of the error with which the vault refuses an outcome; null when it would register it. */
async function refusalOf(conditionId: Hex, outcomeIndex: bigint): Promise<string | null> {
  const args = [conditionId, outcomeIndex] as const;
  const at = { address: driver.deployment.contracts.vault, abi: vaultAbi } as const;
  try {
    await driver.rpc.client.simulateContract({ ...at, functionName: 'registerManagedOutcome', args });
    return null;
  } catch (error) {
    assert.ok(error instanceof BaseError);
    const revert = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
    assert.ok(revert instanceof ContractFunctionRevertedError);
    return errorNameOf(revert.raw ?? '0x');
  }
}

const bothOf = (conditionId: Hex): readonly [bigint, bigint] => {
  const tokenIds = managedTokenIdsOf(conditionId);
  assert.ok(tokenIds !== null);
  return tokenIds;
};

describe('the ledger of an outcome', () => {
  it('native conditions are those that the vault takes', async () => {
    const nearNative = fc
      .record({ hash: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), flipped: fc.integer({ min: -60, max: 247 }) })
      .map(({ hash, flipped }) => {
        const native = (1n << 248n) | (hash << 120n);
        return flipped < 8 ? native : native ^ (1n << BigInt(flipped));
      });
    const anyCondition = fc.oneof(
      nearNative,
      fc.bigInt({ min: 0n, max: 2n ** 248n - 1n }).map((bits) => bits << 8n),
    );
    await fc.assert(
      fc.asyncProperty(anyCondition, fc.bigInt({ min: 0n, max: 2n }), async (condition, outcomeIndex) => {
        const conditionId = numberToHex(condition, { size: 32 });
        const isBinary = condition >> 248n === 1n;
        const isNative = managedTokenIdsOf(conditionId) !== null && outcomeIndex < 2n;
        const expected = isNative ? 'ConditionNotRequested' : isBinary ? 'ConditionNotNative' : 'ModuleNotBinary';
        assert.equal(await refusalOf(slice(conditionId, 0, 31), outcomeIndex), expected);
      }),
      { numRuns: 120 },
    );
  });

  it('a registered token is of the ledger that its id says, on both', async () => {
    const conditionId = await openManaged(77n);
    const market = await driver.openMarket('which ledger');
    const at = { address: driver.deployment.contracts.vault, abi: vaultAbi } as const;
    for (const [condition, tokenId] of [
      ...bothOf(conditionId).map((tokenId) => [conditionId, tokenId] as const),
      [market.yes.conditionId, market.yes.tokenId] as const,
      [market.no.conditionId, market.no.tokenId] as const,
    ]) {
      const args = [condition, tokenId] as const;
      const outcomeId = await driver.rpc.client.readContract({ ...at, functionName: 'outcomeIdOf', args });
      const outcome = await driver.rpc.client.readContract({ ...at, functionName: 'outcomeOf', args: [outcomeId] });
      assert.deepEqual([outcome.tokenId, outcome.ledger], [tokenId, isManagedToken(tokenId) ? 1 : 0]);
    }
  });
});

describe('readers of both ledgers', () => {
  it('the result of the second is unknown, then any split, and an answer that is neither is an error', async () => {
    const { client } = driver.rpc;
    const { contracts } = driver.deployment;
    const conditionId = await openManaged(78n);
    const tokenIds = bothOf(conditionId);
    const outcome = { contracts, conditionId, tokenId: tokenIds[1] };
    assert.equal(await readIsDecided(client, outcome), false);
    assert.equal(await readShares(client, { contracts, conditionId, tokenIds }), null);
    // A module without the call, without code and none at all: three reverts of which none says "not resolved".
    for (const module of [contracts.usdc, driver.deployment.roles.alice.address, zeroAddress]) {
      await setModule(module);
      await assert.rejects(readIsDecided(client, outcome));
      await assert.rejects(readShares(client, { contracts, conditionId, tokenIds }));
    }
    // An account without code answers nothing.
    const bare = { ...contracts, positionManager: driver.deployment.roles.alice.address };
    await assert.rejects(readIsDecided(client, { ...outcome, contracts: bare }), /does not say/);
    await setModule(contracts.binaryModule);
    await resolve(conditionId, 370_000n);
    assert.equal(await readIsDecided(client, outcome), true);
    const numerators = [370_000n, 630_000n];
    const expected = { numerators, denominator: 1_000_000n };
    assert.deepEqual(await readShares(client, { contracts, conditionId, tokenIds }), expected);
  });

  it('a loss of the second is decided', async () => {
    const { contracts } = driver.deployment;
    const conditionId = await openManaged(79n);
    await resolve(conditionId, 0n);
    const [tokenId] = bothOf(conditionId);
    assert.equal(await readIsDecided(driver.rpc.client, { contracts, conditionId, tokenId }), true);
  });

  it('payouts and tokens of the first are its own, and a split brings tokens of both', async () => {
    const { client } = driver.rpc;
    const { contracts, roles } = driver.deployment;
    const market = await driver.openMarket('payouts of the first');
    const managed = await openManaged(80n);
    const [yes, no] = bothOf(managed);
    const second = {
      questionId: managed,
      yes: { conditionId: managed, tokenId: yes },
      no: { conditionId: managed, tokenId: no },
    };
    const owner = roles.alice.address;
    for (const { yes: token, no: other, questionId } of [market, second]) {
      await driver.mintTokens(roles.alice, { questionId, yes: token, no: other }, 7_000_000n);
      for (const { tokenId } of [token, other]) {
        assert.equal(await readTokenUnits(client, { contracts, owner, tokenId }), 7_000_000n);
      }
    }
    const { conditionId } = market.yes;
    const outcome = { contracts, conditionId, tokenId: market.yes.tokenId };
    assert.equal(await readIsDecided(client, outcome), false);
    await driver.reportPayouts(market, [1n, 3n]);
    assert.equal(await readIsDecided(client, outcome), true);
    const tokenIds = [market.yes.tokenId, market.no.tokenId] as const;
    const expected = { numerators: [1n, 3n], denominator: 4n };
    assert.deepEqual(await readShares(client, { contracts, conditionId, tokenIds }), expected);
  });

  it('the vault names its contracts, and a token without one has no reader', async () => {
    const { vault, conditionalTokens, positionManager, positionRouter, oracleAggregator } = driver.deployment.contracts;
    const named = { positionManager, positionRouter, oracleAggregator };
    assert.deepEqual(await readManagedContracts(driver.rpc.client, vault), named);
    const contracts: LedgerContracts = { conditionalTokens, positionManager: null };
    const [tokenId] = bothOf(conditionOf(81n));
    await assert.rejects(readTokenUnits(driver.rpc.client, { contracts, owner: vault, tokenId }), /no PositionManager/);
    const conditionId = conditionIdOf({ oracle: vault, questionId: keccak256(toHex('any')) });
    assert.ok(tokenIdsOf({ collateralToken: vault, conditionId }).every((id) => !isManagedToken(id)));
  });
});
