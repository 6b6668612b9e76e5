import { type Sample, samplesOf } from './prometheus.ts';

/** How long forced sales of a category take, and what follows. */
export interface ExitFacts {
  readonly category: 'crypto' | 'sport';
  readonly sale_count: number;
  readonly p95_ms: number | null;
  readonly exit_seconds: number;
  readonly is_open: boolean;
}

/** The keeper as its last heartbeat shows it. */
export interface KeeperFacts {
  readonly heartbeat_age_ms: number | null;
  readonly is_venue_taking_orders: boolean;
  readonly is_price_signer_answering: boolean;
  readonly required_signatures: number | null;
  readonly price_signers: readonly {
    readonly name: string;
    readonly is_answering: boolean;
    readonly is_appointed: boolean;
  }[];
  readonly unseen_markets: readonly string[];
  readonly exits: readonly ExitFacts[];
}

export interface ApiFacts {
  readonly missing: readonly string[];
  readonly keeper: KeeperFacts | null;
}

/** One job of the keeper, and for how long it has been silent. */
export interface TaskFacts {
  readonly name: string;
  readonly interval_ms: number;
  readonly silence_ms: number;
  readonly is_silent: boolean;
}

export interface PartnerFacts {
  readonly id: string;
  readonly name: string;
  readonly environment: string;
  readonly keys: readonly { readonly id: string; readonly prefix: string; readonly is_active: boolean }[];
}

/** Asks through the program that serves this page. A program that is not ready says so with 503 and its facts. */
async function ask(path: string): Promise<Response> {
  const response = await fetch(`./operate/${path}`);
  if (response.ok || response.status === 503) return response;
  const { message } = (await response.json()) as { readonly message?: string };
  throw new Error(message ?? `${path} answered ${response.status}`);
}

export const operationsClient = {
  api: async (): Promise<ApiFacts> => (await ask('api/readyz')).json(),
  partners: async (): Promise<readonly PartnerFacts[]> => (await ask('api/partners')).json(),
  tasks: async (): Promise<readonly TaskFacts[]> =>
    ((await (await ask('keeper/readyz')).json()) as { readonly tasks: readonly TaskFacts[] }).tasks,
  keeperSamples: async (): Promise<readonly Sample[]> => samplesOf(await (await ask('keeper/metrics')).text()),
};
