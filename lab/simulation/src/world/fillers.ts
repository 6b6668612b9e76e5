import path from 'node:path';
import type { LocalDeployment } from '@core/contracts/local';
import { configOfEnv, startFiller } from '@core/filler';
import { runPairFiller } from '@core/pair-filler';
import { policyDefaults } from '@core/policy';
import { raw } from '@core/pricing';
import { createLogger } from '@core/runtime';
import { keyFileOf } from '@core/runtime/testing';
import { fillerEnvironment, type LocalWorld } from '@core/world';
import type { Address } from 'viem';
import type { Edge } from '../runtime/installEdge.ts';
import type { Programs } from './programs.ts';

/** The filler of the repository, the example of its guide, and that example taking openings alone. */
export const fillerKinds = ['shipped', 'example', 'openings'] as const;
export type FillerKind = (typeof fillerKinds)[number];

/** Port of the shipped filler's metrics. */
export const fillerMetricsPort = 9_481;

/** Filler of a world. */
export interface WorldFiller {
  readonly kind: FillerKind;
  readonly address: Address;
  /** File of its journal; null for one without accounts. */
  readonly journalFile: string | null;
}

interface Surroundings extends LocalWorld {
  readonly edge: Edge;
  readonly programs: Programs;
  readonly deployment: LocalDeployment;
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

async function startShipped(surroundings: Surroundings, { privateKey }: Account): Promise<string> {
  const { programs, folder } = surroundings;
  const journalFile = path.join(folder, 'journal.jsonl');
  const files = { keyFile: keyFileOf(privateKey), journalFile };
  const environment = fillerEnvironment(surroundings, { ...files, metricsPort: fillerMetricsPort });
  const { config } = configOfEnv({ ...environment, FINALITY_DEPTH: 'finalized' });
  const logger = createLogger({ name: 'filler', level: 'silent' });
  await programs.start('filler', () => startFiller({ ...config, logger }));
  return journalFile;
}

const startExample =
  (kind: FillerKind) =>
  async ({ edge, programs, rpcUrl, deployment, venue }: Surroundings, { privateKey }: Account): Promise<null> => {
    const { vault, pairFiller } = deployment.contracts;
    const { marginBps, gasUsdcUnits } = policyDefaults.grant.fillerCost;
    const terms = { marginBps: raw(marginBps), gasUsdcUnits: raw(gasUsdcUnits), takesSales: kind === 'example' };
    const say = (line: string): void => edge.scheduler.note(line);
    const settings = { ...terms, rpcUrl, venueUrl: venue.url, vault, pairFiller, privateKey, say };
    const forever = new AbortController().signal;
    // It ends with its world.
    await programs.start(`${kind} filler`, async () => void runPairFiller(settings, forever));
    return null;
  };
