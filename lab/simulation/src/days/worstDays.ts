import { keysOf } from '@core/position';
import { Role, vaultAbi } from '@core/vault';
import { type Address, encodeFunctionData, type Hex, parseGwei } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import type { CallOutcome } from '../outside/chain/settings.ts';
import type { World } from '../world/startWorld.ts';

/** A fault of a deployment, which begins when it is called and ends with the call that it returns. */
export interface WorstDay {
  readonly keepers: 1 | 2;
  /** Alerts that it fires, and no others. */
  readonly alerts: readonly string[];
  readonly begin: (world: World) => Promise<() => Promise<void>>;
}

/** Base fee above the keeper's ceiling, seconds that a clock is ahead, and a pause that no day outlasts. */
const dearGwei = '3000';
const aheadMs = 20_000;
const endlessMs = 3_600_000;

const away = (name: string, keepers: 1 | 2 = 2): WorstDay => ({
  keepers,
  alerts: ['ProgramAway'],
  async begin({ programs }) {
    programs.kill(name);
    return () => programs.restart(name);
  },
});

const isAhead = (name: string): WorstDay => ({
  keepers: 1,
  alerts: ['ClockWrong'],
  async begin({ programs }) {
    programs.setClock(name, aheadMs);
    return async () => programs.setClock(name, 0);
  },
});

/** The first node answers no program with more than this outcome; a spare one is well. */
const firstNode = (outcome: CallOutcome): WorstDay => ({
  keepers: 2,
  // A program on its spare node is named after five minutes: the day is shorter.
  alerts: [],
  async begin({ chain }) {
    chain.node.onCalls = (_calls, from) => (from === '' ? 'answer' : outcome);
    return async () => {
      chain.node.onCalls = () => 'answer';
    };
  },
});

/** No node answers one program. */
const nodesOf = (name: string): WorstDay => ({
  keepers: 1,
  alerts: ['NodesAway'],
  async begin({ chain, spareNode }) {
    const nodes = [chain.node, ...(spareNode === null ? [] : [spareNode])];
    for (const node of nodes) node.onCalls = (_calls, from) => (from === name ? { status: 503 } : 'answer');
    return async () => {
      for (const node of nodes) node.onCalls = () => 'answer';
    };
  },
});

/** Call the vault as its owner. */
async function asOwner({ driver, deployment }: World, data: Hex): Promise<void> {
  await driver.rpc.send(deployment.roles.owner, { to: deployment.contracts.vault, data });
}

/** Statements of the database fail in one way. */
const database = (isHit: (texts: readonly string[]) => boolean, fault: 'cut' | 'disk_full'): WorstDay => ({
  keepers: 2,
  alerts: [fault === 'cut' ? 'DatabaseAway' : 'DatabaseUnwritable'],
  async begin({ postgres }) {
    postgres.isStopping = fault === 'cut';
    const error = { code: '53100', message: 'could not extend file: No space left on device' };
    postgres.onStatement = ({ texts }) => {
      if (!isHit(texts)) return null;
      return fault === 'cut' ? { kind: 'cut', isExecuted: false } : { kind: 'refuse', error };
    };
    return async () => {
      postgres.isStopping = false;
      postgres.onStatement = null;
    };
  },
});

const isWrite = (texts: readonly string[]): boolean => texts.some((text) => /\b(INSERT|UPDATE|DELETE)\b/i.test(text));

/** Key that no program has. */
const strangerKey: Hex = `0x${'7'.repeat(64)}`;

/** Faults of a deployment with two signers of two, and a spare node. */
export const worstDays = {
  nothing: { keepers: 2, alerts: [], begin: async () => async () => undefined },
  'the only keeper dead': away('keeper', 1),
  'one of two keepers dead': away('keeper'),
  'filler dead': away('filler'),
  'API dead': away('api'),
  'one of two signers dead': away('signer 1'),
  'PostgreSQL dead': database(() => true, 'cut'),
  'disk of PostgreSQL full': database(isWrite, 'disk_full'),
  'first node dead, spare well': firstNode({ status: 503 }),
  'first node hangs, spare well': firstNode({ delayMs: Number.POSITIVE_INFINITY }),
  'first node stands still, spare well': {
    keepers: 2,
    alerts: [],
    async begin({ chain, driver }) {
      const { view } = chain.node;
      chain.node.view = { ...view, stoppedAt: Number(await driver.rpc.client.getBlockNumber()) };
      return async () => {
        chain.node.view = view;
      };
    },
  },
  'both nodes dead for the keeper': nodesOf('keeper'),
  'both nodes dead for the API': nodesOf('api'),
  'both nodes dead for a signer': nodesOf('signer 1'),
  'both nodes dead for the filler': nodesOf('filler'),
  'clock of the keeper 20 s ahead': isAhead('keeper'),
  'clock of the API 20 s ahead': isAhead('api'),
  'clock of a signer 20 s ahead': isAhead('signer 1'),
  'clock of the filler 20 s ahead': isAhead('filler'),
  'gas above the ceiling': {
    keepers: 2,
    alerts: ['GasPriceHigh'],
    async begin({ chain }) {
      const { baseFeeWei } = chain.fees;
      chain.fees.baseFeeWei = parseGwei(dearGwei);
      return async () => {
        chain.fees.baseFeeWei = baseFeeWei;
      };
    },
  },
  'role of the only keeper lost': {
    keepers: 1,
    alerts: ['KeeperRoleLost'],
    async begin(world) {
      const set = (isMember: boolean): Promise<void> => {
        const args = [Role.Keeper, world.deployment.roles.keeper.address, isMember] as const;
        return asOwner(world, encodeFunctionData({ abi: vaultAbi, functionName: 'setRole', args }));
      };
      await set(false);
      return () => set(true);
    },
  },
  'quote key replaced, API not': {
    keepers: 2,
    alerts: ['QuoteKeyRefused'],
    async begin(world) {
      const set = (account: Address) =>
        asOwner(world, encodeFunctionData({ abi: vaultAbi, functionName: 'setQuoteSigner', args: [account] }));
      await set(privateKeyToAddress(strangerKey));
      return () => set(world.deployment.roles.quoteSigner.address);
    },
  },
  'venue hangs': {
    keepers: 2,
    alerts: ['VenueAway'],
    async begin({ programs }) {
      programs.pause('venue', endlessMs);
      return async () => programs.resume('venue');
    },
  },
} as const satisfies Readonly<Record<string, WorstDay>>;

export type DayName = keyof typeof worstDays;
export const dayNames: readonly DayName[] = keysOf(worstDays);
