import type { LocalProvider } from '@core/contracts/local';
import { isHash, isHex, numberToHex, type Transaction } from 'viem';
import type { Edge } from '../../runtime/installEdge.ts';
import { outsidePrograms } from '../../runtime/program.ts';
import type { Scheduler } from '../../runtime/scheduler.ts';
import type { VirtualNetwork } from '../../runtime/virtualNetwork.ts';
import { Blocks, type Reorganisation } from './blocks.ts';
import { ChainNode, type NodeOptions } from './chainNode.ts';
import { Evm } from './evm.ts';
import { RpcRefusal } from './rpcFault.ts';
import type { BlockPace, ChainFees, ChainSettings } from './settings.ts';

/** Pause between the regular blocks of a chain that mines each transaction at once. */
const instantPauseMs = 1_000;
/** Blocks of a pace have growing times in whole seconds. */
const minPaceMs = 1_000;
const notSupported = -32_004;

const senders: ReadonlySet<string> = new Set(['eth_sendRawTransaction', 'eth_sendTransaction']);
/** Methods that move the clock of the chain, which is the world's. */
const clockMethods: ReadonlySet<string> = new Set([
  'evm_increaseTime',
  'evm_setNextBlockTimestamp',
  'evm_setAutomine',
  'evm_setIntervalMining',
]);

interface ChainParts {
  readonly evm: Evm;
  readonly blocks: Blocks;
  /** True when clients may move the clock and set the pace. */
  readonly isLocal: boolean;
}

/** The chain of a simulated world. It is no program: its nodes are. */
export class Chain {
  readonly #scheduler: Scheduler;
  readonly #network: VirtualNetwork;
  #pace: BlockPace;
  readonly #evm: Evm;
  readonly #blocks: Blocks;
  readonly #isLocal: boolean;
  #timer: NodeJS.Timeout | undefined;
  #node: ChainNode | null = null;

  private constructor(edge: Pick<Edge, 'scheduler' | 'network'>, pace: BlockPace, parts: ChainParts) {
    this.#scheduler = edge.scheduler;
    this.#network = edge.network;
    this.#pace = pace;
    this.#evm = parts.evm;
    this.#blocks = parts.blocks;
    this.#isLocal = parts.isLocal;
  }

  /** Open a chain with one node, the program whose code runs now. Each transaction is mined at once until `begin`. */
  static async open(
    edge: Pick<Edge, 'scheduler' | 'network'>,
    { provider, pace, fees, clientLeadSeconds }: ChainSettings & { readonly provider: LocalProvider },
  ): Promise<Chain> {
    if (pace !== 'instant' && pace < minPaceMs) throw new RangeError(`a pace of ${pace} ms is under ${minPaceMs} ms`);
    const evm = new Evm(provider);
    const allFees: ChainFees = { tipFloorWei: 0n, baseFeeWei: null, suggestedTipWei: null, ...fees };
    const opening = new Promise<Blocks>((resolve, reject) => {
      edge.scheduler.outside('chain', () => Blocks.open(edge.scheduler, evm, allFees).then(resolve, reject));
    });
    const blocks = await opening;
    blocks.leadSeconds = clientLeadSeconds ?? 0;
    const chain = new Chain(edge, pace, { evm, blocks, isLocal: clientLeadSeconds !== undefined });
    chain.#node = await chain.openNode();
    return chain;
  }

  /** The first node. */
  get node(): ChainNode {
    if (this.#node === null) throw new Error('the chain has no node yet');
    return this.#node;
  }

  /** Origin of the first node. */
  get rpcUrl(): string {
    return this.node.rpcUrl;
  }

  /** Fees of the chain; they may change at any time. */
  get fees(): ChainFees {
    return this.#blocks.fees;
  }

  /** Start the blocks of the chain's pace, or of another one, which it then has. */
  async begin(pace = this.#pace): Promise<void> {
    this.#pace = pace;
    await this.#alone('chain', () => this.#blocks.setInstant(this.#pace === 'instant'));
    this.#repeat(this.#pace === 'instant' ? instantPauseMs : this.#pace);
  }

  #repeat(pauseMs: number): void {
    const mine = (): void => this.#scheduler.outside('block', () => this.#blocks.mine());
    // No program's end, and no pause of one, stops the chain.
    outsidePrograms(() => {
      clearInterval(this.#timer);
      this.#timer = setInterval(mine, pauseMs);
    });
  }

  /** Make no more regular blocks until `begin` is called again. */
  halt(): void {
    clearInterval(this.#timer);
  }

  /** Start another node of the chain as the program whose code runs now. */
  openNode(options: NodeOptions = {}): Promise<ChainNode> {
    const parts = {
      scheduler: this.#scheduler,
      network: this.#network,
      headNumber: () => this.#blocks.headNumber,
      perform: (method: string, params: readonly unknown[]) => this.#perform(method, params),
    };
    return ChainNode.open(parts, options);
  }

  /**
   * Replace the newest 1 to 32 blocks by another branch, which is one block longer.
   * @param options.drop True for a transaction of the old branch that is lost; the others are mined again.
   */
  reorganise(
    depth: number,
    { drop }: { readonly drop?: (transaction: Transaction) => boolean } = {},
  ): Promise<Reorganisation> {
    return this.#alone('reorganisation', () => this.#blocks.reorganise({ depth, drop }));
  }

  async close(): Promise<void> {
    this.halt();
    await this.node.close();
  }

  /** Run as an outside operation, between the calls of programs. */
  #alone<Result>(kind: string, work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#scheduler.outside(kind, () => work().then(resolve, reject));
    });
  }

  async #perform(method: string, params: readonly unknown[]): Promise<unknown> {
    if (senders.has(method)) return this.#send(method, params);
    if (clockMethods.has(method)) return this.#moveClock(method, params[0]);
    const { suggestedTipWei } = this.fees;
    switch (method) {
      case 'evm_mine':
        await this.#blocks.mine();
        return '0x0';
      case 'hardhat_mine':
        for (let count = isHex(params[0]) ? Number(params[0]) : 1; count > 0; count -= 1) await this.#blocks.mine();
        return true;
      case 'evm_revert':
        return this.#blocks.revert(params[0]);
      case 'eth_maxPriorityFeePerGas':
        if (suggestedTipWei !== null) return numberToHex(suggestedTipWei);
        break;
      default:
        // The EVM computes its next block with the time of the real clock, unless it gets one.
        if (method === 'eth_estimateGas' || params.includes('pending')) await this.#blocks.prepare();
    }
    return this.#evm.request(method, params);
  }

  /** Move the clock or set the pace, as a client of a local chain may. */
  async #moveClock(method: string, value: unknown): Promise<unknown> {
    if (this.#isLocal && method === 'evm_increaseTime') {
      this.#blocks.leadSeconds += Number(value);
      return String(this.#blocks.leadSeconds);
    }
    if (this.#isLocal && method === 'evm_setAutomine') {
      await this.#blocks.setInstant(value === true);
      return true;
    }
    if (this.#isLocal && method === 'evm_setIntervalMining') {
      this.halt();
      if (Number(value) > 0) this.#repeat(Number(value));
      return true;
    }
    throw new RpcRefusal({ code: notSupported, message: `${method}: the world sets the time of blocks` });
  }

  async #send(method: string, params: readonly unknown[]): Promise<unknown> {
    await this.#blocks.prepare();
    try {
      const hash = await this.#evm.request(method, params);
      if (typeof hash === 'string' && isHash(hash)) this.#evm.record(hash);
      this.#scheduler.note(`tx ${String(hash)}`);
      return hash;
    } finally {
      // A transaction that reverts is mined as well.
      if (this.#blocks.isInstant) await this.#blocks.mark();
    }
  }
}
