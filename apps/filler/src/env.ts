import { policyDefaults } from '@core/policy';
import { rateBps, raw, usdcUnits } from '@core/pricing';
import {
  address,
  armedFailpointOf,
  defaultMaxFeeGwei,
  type Environment,
  failpointSettings,
  fileOf,
  finality,
  httpUrl,
  interfaceAddress,
  loopbackAddress,
  matching,
  nodeSettings,
  nodesOfEnv,
  optional,
  type ProgramEnv,
  port,
  privateKey,
  programEnvOf,
  programSettings,
  readEnvironment,
  required,
  textOf,
  wholeNumber,
  withDefault,
} from '@core/runtime';
import { type SelectedVenue, selectedVenueOf, tradingSettings, tradingTermsOf } from '@core/venue';
import { failpointMoments, failpointNamed } from './chain/failpoint.ts';
import type { FillerConfig } from './startFiller.ts';

const effectPoint = matching(
  new RegExp(`\\w+:(?:${failpointMoments.join('|')})`),
  `an effect, a colon and one of ${failpointMoments.join(', ')}`,
);

const unitsPerCent = 10_000n;
/** Terms with which the limits of grants reckon: a dearer filler takes none. */
const { fillerCost } = policyDefaults.grant;

/** Settings of the filler's process. */
const settings = {
  ...nodeSettings,
  VAULT_ADDRESS: required(address),
  EXCHANGE_ADDRESS: required(address),
  CONDITIONAL_TOKENS_ADDRESS: required(address),
  USDC_ADDRESS: required(address),
  /** Contract that fills purchases with pairs made inside the fill; the deployment records it. */
  PAIR_FILLER_ADDRESS: required(address),
  /** Rule for final blocks: a depth behind the head, or the node's tag; 0 on the local chain, else 128. */
  FINALITY_DEPTH: optional(finality),
  ...tradingSettings,
  /** Account name at a venue without credentials. */
  VENUE_OWNER: withDefault(textOf(), 'filler'),
  /** File with the key of the account that holds the float: a file stands in no list of processes. */
  FILLER_KEY_FILE: required(fileOf(privateKey)),
  /** File with the key of the venue's relayer, which creates the deposit wallet and carries its batches. */
  FILLER_RELAYER_KEY_FILE: optional(fileOf(textOf())),
  /** File of the journal. The file with `.stop` behind its name stops new fills while it exists. */
  FILLER_JOURNAL: required(textOf()),
  /** USD that fills and unsold tokens may bind together. */
  FILLER_FLOAT_USD: withDefault(wholeNumber(1), 10_000),
  /** Largest fill, in USD moved. */
  FILLER_MAX_FILL_USD: withDefault(wholeNumber(1), 5_000),
  /** Profit of a fill as a share of the USDC moved, in basis points. */
  FILLER_MARGIN_BPS: withDefault(wholeNumber(0, 1_000), Number(raw(fillerCost.marginBps))),
  /** Cost of the transactions of a fill, in cents: a fill earns it besides the margin. */
  FILLER_GAS_CENTS: withDefault(wholeNumber(0, 10_000), Number(raw(fillerCost.gasUsdcUnits) / unitsPerCent)),
  /** No transaction pays more per gas, in gwei. */
  FILLER_MAX_FEE_GWEI: withDefault(wholeNumber(1), defaultMaxFeeGwei),
  /**
   * Seconds for which tokens that a fill leaves rest at the best ask before they are sold at the bids. Above 0
   * they are priced at the ask. 0 sells them at once.
   */
  FILLER_REST_SECONDS: withDefault(wholeNumber(0, 300), 0),
  /** Pause between two comparisons of the accounts with the chain, in milliseconds: each takes ten calls to a node. */
  FILLER_BOOK_MS: withDefault(wholeNumber(100, 600_000), 60_000),
  /** Age of the last block, in seconds, above which the filler is not ready: its node stands still. */
  FILLER_MAX_HEAD_AGE_SECONDS: withDefault(wholeNumber(2, 600), 20),
  FILLER_METRICS_PORT: withDefault(port, 9_466),
  /** Interface of the metrics. */
  LISTEN_HOST: withDefault(interfaceAddress, loopbackAddress),
  /** Origin of the simulator whose movable clock is followed; the machine's own clock when left out. */
  CLOCK_URL: optional(httpUrl),
  ...programSettings,
  ...failpointSettings(effectPoint),
};

/** Settings of one process. */
export interface FillerEnv extends ProgramEnv {
  readonly config: FillerConfig;
}

/** Chain of local stacks: it has no reorganisations. */
const localChainId = 31_337;
const defaultFinality = 128n;
const unitsPerUsd = 1_000_000n;

/** Read and check the environment. @throws FriendlyError with a line for every invalid variable. */
export function configOfEnv(environment: Environment): FillerEnv {
  const env = readEnvironment({ program: 'filler', settings, ownPrefixes: ['FILLER_'] }, environment);
  const { profile, hosts } = selectedVenueOf(env);
  const usd = (amount: number) => usdcUnits(BigInt(amount) * unitsPerUsd);
  const config: FillerConfig = {
    ...nodesOfEnv(env),
    contracts: {
      vault: env.VAULT_ADDRESS,
      usdc: env.USDC_ADDRESS,
      conditionalTokens: env.CONDITIONAL_TOKENS_ADDRESS,
      exchange: env.EXCHANGE_ADDRESS,
      pairFiller: env.PAIR_FILLER_ADDRESS,
      ...(profile.contracts === null ? {} : { managedExchange: profile.contracts.exchanges.v2 }),
    },
    managedDomain: profile.orderDomains.v2,
    finality: env.FINALITY_DEPTH ?? (env.CHAIN_ID === localChainId ? 0n : defaultFinality),
    ...tradingTermsOf(env, profile),
    venueUrl: hosts.url,
    catalogueUrl: hosts.catalogueUrl,
    venueLimits: profile.limits,
    venueOwner: env.VENUE_OWNER,
    ...walletTermsOf({ profile, hosts, relayerKey: env.FILLER_RELAYER_KEY_FILE ?? null }),
    privateKey: env.FILLER_KEY_FILE,
    journalFile: env.FILLER_JOURNAL,
    terms: {
      marginBps: rateBps(BigInt(env.FILLER_MARGIN_BPS)),
      gasUsdcUnits: usdcUnits(BigInt(env.FILLER_GAS_CENTS) * unitsPerCent),
      maximumFillUsdcUnits: usd(env.FILLER_MAX_FILL_USD),
      restMs: env.FILLER_REST_SECONDS * 1_000,
    },
    floatUsdcUnits: usd(env.FILLER_FLOAT_USD),
    maxFeePerGasWei: BigInt(env.FILLER_MAX_FEE_GWEI) * 1_000_000_000n,
    ...(env.CLOCK_URL === undefined ? {} : { clockUrl: env.CLOCK_URL }),
    bookMs: env.FILLER_BOOK_MS,
    maxHeadAgeMs: env.FILLER_MAX_HEAD_AGE_SECONDS * 1_000,
    metricsPort: env.FILLER_METRICS_PORT,
    metricsHost: env.LISTEN_HOST,
    failpoint: failpointNamed(armedFailpointOf(env)),
  };
  return { config, ...programEnvOf(env) };
}

/** Return the terms of deposit wallets, at a venue that takes orders of them alone. */
function walletTermsOf({
  profile,
  hosts,
  relayerKey,
}: Pick<SelectedVenue, 'profile' | 'hosts'> & { readonly relayerKey: string | null }): Pick<FillerConfig, 'wallet'> {
  const { contracts, hasMakerRegistry, walletDomain } = profile;
  if (!hasMakerRegistry || contracts === null) return {};
  return { wallet: { contracts, walletDomain, relayerUrl: hosts.relayerUrl, relayerKey } };
}

/** Return the file of the journal, for commands that need nothing else. @throws FriendlyError without one. */
export function journalFileOf(environment: Environment): string {
  const { FILLER_JOURNAL } = settings;
  return readEnvironment({ program: 'filler', settings: { FILLER_JOURNAL }, ownPrefixes: [] }, environment)
    .FILLER_JOURNAL;
}
