import { type Address, encodeFunctionData, type Hex, type PublicClient, parseAbi, slice, zeroAddress } from 'viem';
import type { MarketDefinition } from '../catalogue/marketDefinition.ts';
import type { TransactionSender } from './transactionSender.ts';

export interface ManagedConditionsOptions {
  readonly client: PublicClient;
  /** Account that asks for results and gives them. */
  readonly oracle: TransactionSender;
  readonly oracleAggregator?: Address;
  readonly binaryModule?: Address;
}

/** Calls of the local oracle aggregator and module. */
const aggregatorAbi = parseAbi([
  'function requestConfigs(bytes29 eventId) view returns (address targetContract)',
  'function initializeRequest(bytes29 eventId, address targetContract)',
  'function resolveResult(bytes32 requestId, uint256 yesShare)',
]);
const moduleAbi = parseAbi(['function hasResult(bytes31 conditionId) view returns (bool isDecided)']);

const eventBytes = 29;
const conditionBytes = 31;
/** Result of a condition: both outcomes share a million. */
const wholeShare = 1_000_000n;

/** Conditions of the PositionManager: a request makes one, a result decides it. */
export class ManagedConditions {
  readonly #options: ManagedConditionsOptions;

  constructor(options: ManagedConditionsOptions) {
    this.#options = options;
  }

  /** Ask for the result of a market, unless that was done. @throws TypeError without the contracts. */
  async list({ conditionId, slug }: MarketDefinition): Promise<void> {
    const { client, oracle } = this.#options;
    const { address, module } = this.#contracts();
    const eventId = slice(conditionId, 0, eventBytes);
    const read = { address, abi: aggregatorAbi, functionName: 'requestConfigs', args: [eventId] } as const;
    if ((await client.readContract(read)) !== zeroAddress) return;
    const args = [eventId, module] as const;
    const data = encodeFunctionData({ abi: aggregatorAbi, functionName: 'initializeRequest', args });
    await oracle.must(address, data, `requesting ${slug}`);
  }

  /** Decide a market by payouts, rounded down to a millionth; null when it is decided. @throws TypeError */
  async report({ conditionId, slug }: MarketDefinition, [yes, no]: readonly [bigint, bigint]): Promise<Hex | null> {
    const { client, oracle } = this.#options;
    const { address, module } = this.#contracts();
    const condition = [slice(conditionId, 0, conditionBytes)] as const;
    const read = { address: module, abi: moduleAbi, functionName: 'hasResult', args: condition } as const;
    if (await client.readContract(read)) return null;
    const args = [conditionId, (yes * wholeShare) / (yes + no)] as const;
    const data = encodeFunctionData({ abi: aggregatorAbi, functionName: 'resolveResult', args });
    return oracle.must(address, data, `reporting ${slug}`);
  }

  #contracts(): { readonly address: Address; readonly module: Address } {
    const { oracleAggregator, binaryModule } = this.#options;
    if (oracleAggregator === undefined || binaryModule === undefined) {
      throw new TypeError('markets of the PositionManager need its oracle aggregator and its module');
    }
    return { address: oracleAggregator, module: binaryModule };
  }
}
