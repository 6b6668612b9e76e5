import type { LocalDeployment } from '@core/contracts/local';
import type { Route } from '@core/policy';

type ServiceContracts = Pick<
  LocalDeployment['contracts'],
  'vault' | 'pool' | 'usdc' | 'conditionalTokens' | 'exchange' | 'pairFiller'
>;

/** Chain of a world on this machine, and the contracts on it. */
export interface LocalGround {
  readonly rpcUrl: string;
  /** Another node of the chain; none when absent. */
  readonly spareRpcUrl?: string;
  readonly deployment: Pick<LocalDeployment, 'chainId' | 'venueDomain'> & {
    readonly contracts: ServiceContracts;
    readonly deploymentBlock: bigint | string;
  };
}

/** Everything that the programs of a world share. */
export interface LocalWorld extends LocalGround {
  readonly venue: { readonly url: string; readonly wsUrl: string };
  /** Origin of the clock that all programs follow; null for the machine's own. */
  readonly clockUrl: string | null;
  readonly route: Route;
  /** Seconds from one block to the next; 0 for a chain that mines at once, null for the programs' default. */
  readonly blockSeconds: number | null;
}

/** Return the world around a venue: programs follow its clock, at their default pace. */
export function localWorldOf(
  { rpcUrl, deployment, venue }: Pick<LocalWorld, 'rpcUrl' | 'deployment' | 'venue'>,
  route: Route,
): LocalWorld {
  return { rpcUrl, deployment, venue, clockUrl: venue.url, route, blockSeconds: null };
}

/** Environment of a process. */
export type ProgramEnvironment = Readonly<Record<string, string>>;
