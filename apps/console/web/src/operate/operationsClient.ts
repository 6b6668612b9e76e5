import { type Sample, samplesOf } from './prometheus.ts';

/** How long forced sales of a category take, and what follows. */
export interface ExitFacts {
  readonly category: 'crypto' | 'sport';
  readonly sale_count: number;
  readonly p95_ms: number | null;
  readonly exit_seconds: number;
  readonly is_open: boolean;
}

/** A keeper as its last heartbeat shows it. */
export interface KeeperFacts {
  readonly address: string;
  /** Those of the eight shares of the markets that it looks after. */
  readonly shares: readonly number[];
  readonly heartbeat_age_ms: number;
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

/** All keepers as one: each fact that of the keeper that stands worst. Null without any. */
export function togetherOf(keepers: readonly KeeperFacts[]): Omit<KeeperFacts, 'address'> | null {
  const [first, ...others] = keepers;
  if (first === undefined) return null;
  return others.reduce<Omit<KeeperFacts, 'address'>>(
    (worst, one) => ({
      shares: [...worst.shares, ...one.shares],
      heartbeat_age_ms: Math.max(worst.heartbeat_age_ms, one.heartbeat_age_ms),
      is_venue_taking_orders: worst.is_venue_taking_orders && one.is_venue_taking_orders,
      is_price_signer_answering: worst.is_price_signer_answering && one.is_price_signer_answering,
      ...(answeringCount(one) < answeringCount(worst) ? signersOf(one) : signersOf(worst)),
      unseen_markets: [...new Set([...worst.unseen_markets, ...one.unseen_markets])],
      exits: worst.exits.map((exit) => slowerOf(exit, one.exits)),
    }),
    first,
  );
}

type SignerFacts = Pick<KeeperFacts, 'required_signatures' | 'price_signers'>;
const signersOf = ({ required_signatures, price_signers }: SignerFacts): SignerFacts => ({
  required_signatures,
  price_signers,
});

/** Price signers that answer and that the vault takes. */
export function answeringCount({ price_signers }: Pick<KeeperFacts, 'price_signers'>): number {
  return price_signers.filter((signer) => signer.is_answering && signer.is_appointed).length;
}

function slowerOf(exit: ExitFacts, others: readonly ExitFacts[]): ExitFacts {
  const other = others.find(({ category }) => category === exit.category) ?? exit;
  return other.exit_seconds > exit.exit_seconds || !other.is_open ? other : exit;
}

export interface ApiFacts {
  readonly missing: readonly string[];
  readonly keepers: readonly KeeperFacts[];
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
