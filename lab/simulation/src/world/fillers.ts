import path from 'node:path';
import type { LocalDeployment } from '@core/contracts/local';
import { startFiller } from '@core/filler';
import { runPairFiller } from '@core/pair-filler';
import { rateBps, usdcUnits } from '@core/pricing';
import { createLogger } from '@core/runtime';
import type { VenueSim } from '@core/venue-sim';
import type { Address } from 'viem';
import type { Chain } from '../outside/chain/chain.ts';
import type { Edge } from '../runtime/installEdge.ts';
import type { Programs } from './programs.ts';

/** The filler of the repository, the example of its guide, and that example taking openings alone. */
export const fillerKinds = ['shipped', 'example', 'openings'] as const;
export type FillerKind = (typeof fillerKinds)[number];

/** Filler of a world. */
export interface WorldFiller {
  readonly kind: FillerKind;
  readonly address: Address;
  /** File of its journal; null for one without accounts. */
  readonly journalFile: string | null;
}

interface Surroundings {
  readonly edge: Edge;
  readonly programs: Programs;
  readonly chain: Chain;
  readonly deployment: LocalDeployment;
  readonly venue: VenueSim;
  readonly folder: string;
}

type Account = LocalDeployment['roles']['fillers'][number];

/** Start fillers, each as a program. @throws Error for more than the deployment has accounts for. */
export async function startFillers(
  surroundings: Surroundings,
  kinds: readonly FillerKind[],
): Promise<readonly WorldFiller[]> {
  const fillers: WorldFiller[] = [];
  for (const [index, kind] of kinds.entries()) {
    const account = surroundings.deployment.roles.fillers[index];
    if (account === undefined) throw new Error('the deployment has no account of a filler');
    const start = kind === 'shipped' ? startShipped : startExample(kind);
    fillers.push({ kind, address: account.address, journalFile: await start(surroundings, account) });
  }
  return fillers;
}

async function startShipped(
  { programs, chain, deployment, venue, folder }: Surroundings,
  { privateKey }: Account,
): Promise<string> {
  const journalFile = path.join(folder, 'journal.jsonl');
  await programs.start('filler', () =>
    startFiller({
      rpcUrl: chain.rpcUrl,
      chainId: deployment.chainId,
      contracts: deployment.contracts,
      venueDomain: deployment.venueDomain,
      finality: 'finalized',
      privateKey,
      venueUrl: venue.url,
      journalFile,
      terms: {
        marginBps: rateBps(10n),
        gasUsdcUnits: usdcUnits(20_000n),
        maximumFillUsdcUnits: usdcUnits(5_000_000_000n),
        restMs: 0,
      },
      floatUsdcUnits: usdcUnits(10_000_000_000n),
      maxFeePerGasWei: 2_000_000_000_000n,
      bookMs: 5_000,
      metricsPort: 0,
      logger: createLogger({ name: 'filler', level: 'silent' }),
    }),
  );
  return journalFile;
}

const startExample =
  (kind: FillerKind) =>
  async ({ edge, programs, chain, deployment, venue }: Surroundings, { privateKey }: Account): Promise<null> => {
    const { vault, pairFiller } = deployment.contracts;
    const terms = { marginBps: 10n, gasUsdcUnits: 20_000n, takesSales: kind === 'example' };
    const { rpcUrl } = chain;
    const say = (line: string): void => edge.scheduler.note(line);
    const settings = { ...terms, rpcUrl, venueUrl: venue.url, vault, pairFiller, privateKey, say };
    const forever = new AbortController().signal;
    // It ends with its world.
    await programs.start(`${kind} filler`, async () => void runPairFiller(settings, forever));
    return null;
  };
