import { statSync } from 'node:fs';
import { openSigner } from '@core/keys';
import { routes } from '@core/policy';
import { ageMsOf, coinLevelOf, FriendlyError, keeperHeartbeat, keeperReportOf, presentFillReport } from '@core/runtime';
import { Role, vaultAbi } from '@core/vault';
import { isAddress } from 'viem';
import { z } from 'zod';
import { readTokenKeys } from '../../auth/tokenKeys.ts';
import { answerOf, apiReadinessUrl, signerReadinessUrl, statusText } from './answerOf.ts';
import { apiRepairOf } from './apiRepairs.ts';
import { type Check, type Deployment, type Finding, failed, findingOf, ok, skipped } from './check.ts';
import { clockCheck } from './clockCheck.ts';
import { databaseChecks } from './databaseChecks.ts';
import { type Coin, readCoin } from './readCoin.ts';

const oldestNode = 24;
const groupAndOthers = 0o077;
/** Age above which the heartbeat of a keeper is not shown. */
const maxReportAgeMs = 60_000;

async function checkFiles({ settings }: Deployment): Promise<Finding> {
  const { secretPaths } = settings;
  if (secretPaths.length === 0) return skipped('no secret file is configured');
  const open = secretPaths.filter(([, path]) => (statSync(path).mode & groupAndOthers) !== 0);
  return findingOf(
    open.map(([name, path]) => `${path} is readable by other users (${name})`),
    secretPaths.map(([name]) => name).join(', '),
  );
}

/** Check that the holders of the keys answer with the right keys. A file is read with the settings. */
async function checkKeys({ settings }: Deployment): Promise<Finding> {
  const keys = [
    ['quote signer', settings.quoteKey],
    ['keeper', settings.keeperKey],
  ] as const;
  const checked: string[] = [];
  const problems: string[] = [];
  for (const [name, source] of keys) {
    if (source === null) continue;
    try {
      checked.push(`${name}: ${(await openSigner(source)).implementation}`);
    } catch (cause) {
      if (!(cause instanceof FriendlyError)) throw cause;
      problems.push(`${name}: ${cause.message}`);
    }
  }
  return checked.length + problems.length === 0 ? skipped('no key is set') : findingOf(problems, checked.join(', '));
}

async function checkTokenKeys({ settings }: Deployment): Promise<Finding> {
  if (settings.TOKEN_KEYS_FILE === undefined) return skipped('TOKEN_KEYS_FILE is not set');
  try {
    const { signing } = await readTokenKeys(settings.TOKEN_KEYS_FILE);
    return ok(`${signing.kid} signs`);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    return failed('TOKEN_KEYS_FILE holds no usable key set');
  }
}

async function checkBinding({ store, settings }: Deployment): Promise<Finding> {
  const bound = await store.binding.current();
  if (bound === null) return ok('not bound to a vault yet');
  const { chainId, vaultAddress } = bound;
  const text = `bound to vault ${vaultAddress} on chain ${chainId}`;
  const isOwn = chainId === settings.CHAIN_ID && vaultAddress === settings.VAULT_ADDRESS.toLowerCase();
  return isOwn ? ok(text) : failed(text);
}

/** Check that every stored event is folded, and that no position awaits review. */
async function checkPositions({ store, settings }: Deployment): Promise<Finding> {
  const chainKey = `${settings.CHAIN_ID}:${settings.VAULT_ADDRESS.toLowerCase()}`;
  const postponed = await store.chain.postponed(chainKey);
  const [oldest] = postponed;
  const { frozen } = await store.positions.lackingCounts();
  const problems = [
    ...(oldest === undefined
      ? []
      : [`${postponed.length} wait for a locked row, ${oldest.positionKey} since block ${oldest.fromBlock}`]),
    ...(frozen === 0 ? [] : [`${frozen} await review`]),
  ];
  return findingOf(problems, 'none waits for a locked row or for review');
}

async function checkPartners({ store, settings }: Deployment): Promise<Finding> {
  const { ENVIRONMENT: environment } = settings;
  const partners = (await store.partners.list()).filter((partner) => partner.environment === environment);
  for (const { id, name } of partners) {
    const keys = await store.apiKeys.listByPartner(id);
    if (keys.some(({ revokedAtMs }) => revokedAtMs === null)) return ok(`${name} has an active key`);
  }
  return failed(`no partner of ${environment} has an active key`);
}

/** Check that fillers take the grants that keepers with a heartbeat of the last minute report. */
async function checkFills({ store, nowMs }: Deployment): Promise<Finding> {
  const heartbeats = (await store.heartbeats.all()).filter(({ name }) => name.startsWith(keeperHeartbeat));
  const reports = heartbeats
    .filter((heartbeat) => ageMsOf(heartbeat, nowMs()) < maxReportAgeMs)
    .flatMap(({ detail }) => keeperReportOf(detail)?.fills ?? []);
  const fills = reports.map(presentFillReport);
  if (fills.length === 0) return skipped('no grant has ended lately');
  const problems = fills.filter(({ has_fillers }) => !has_fillers).map(({ summary }) => summary);
  return findingOf([...new Set(problems)], [...new Set(fills.map(({ summary }) => summary))].join('; '));
}

async function checkVenue({ settings }: Deployment): Promise<Finding> {
  const answer = await answerOf(new URL('/ok', settings.venueUrl).href);
  const text = `${settings.venueUrl} ${statusText(answer)}`;
  return answer.status === 200 ? ok(text) : failed(text);
}

/** Nodes of a program; absent from one of an earlier version. */
const nodes = z.object({ count: z.number(), answering: z.number(), serving: z.number() }).optional();

/** Return the problem of a program that does not run on its first node. Its own readiness says when none answers. */
function nodeProblemsOf(program: string, state: z.output<typeof nodes>): readonly string[] {
  if (state === undefined || state.serving <= 1) return [];
  return [`${program} runs on node ${state.serving} of its ${state.count}: the first does not answer, or is behind`];
}

const signerReadiness = z.looseObject({ status: z.string(), address: z.string(), nodes });

async function checkPriceSigners(deployment: Deployment): Promise<Finding> {
  const { settings, client } = deployment;
  const { PRICE_SIGNER_URLS: urls, VAULT_ADDRESS } = settings;
  if (urls.length === 0) return skipped('PRICE_SIGNER_URLS is not set');
  const vault = { address: VAULT_ADDRESS, abi: vaultAbi } as const;
  const problems: string[] = [];
  const appointed = new Set<string>();
  const coins: Coin[] = [];
  for (const url of urls) {
    const answer = await answerOf(signerReadinessUrl(url));
    const { data: ready } = signerReadiness.safeParse(answer.body);
    if (ready === undefined || !isAddress(ready.address)) {
      problems.push(`${url} ${statusText(answer)}`);
      continue;
    }
    if (ready.status !== 'ready') problems.push(`${url} is ${ready.status}`);
    problems.push(...nodeProblemsOf(url, ready.nodes));
    const args = [Role.PriceSigner, ready.address] as const;
    const isAppointed = await client.readContract({ ...vault, functionName: 'hasRole', args });
    if (isAppointed) appointed.add(ready.address.toLowerCase());
    else problems.push(`the vault has not appointed ${ready.address} at ${url}`);
    coins.push(await readCoin(deployment, ready.address));
  }
  const required = Number(await client.readContract({ ...vault, functionName: 'requiredSignatures' }));
  if (appointed.size < required)
    problems.push(`an order needs ${required} signatures, ${appointed.size} are available`);
  // One signer that can pay suffices. Ending a grant costs less than a call of a keeper.
  if (routes[settings.ROUTE].hasFillers && coins.length > 0 && coins.every((coin) => coinLevelOf(coin) === 'short'))
    problems.push(`no signer can pay to end a grant: ${coins.map(({ text }) => text).join(', ')}`);
  return findingOf(problems, `${appointed.size} available, an order needs ${required}`);
}

const apiReadiness = z.looseObject({ missing: z.array(z.string()), keepers: z.array(z.unknown()), nodes });

async function checkApi({ settings }: Deployment): Promise<Finding> {
  const url = apiReadinessUrl(settings);
  const answer = await answerOf(url);
  const { data: ready } = apiReadiness.safeParse(answer.body);
  if (ready === undefined) return failed(`${url} ${statusText(answer)}`);
  const { missing, keepers } = ready;
  if (missing.length > 0) return failed(`not ready: ${missing.join(', ')}`, apiRepairOf(missing));
  return findingOf(nodeProblemsOf('it', ready.nodes), `ready, ${keepers.length} keepers`);
}

/** Checks of this machine, its files and the programs of the service. */
export const serviceChecks: readonly Check[] = [
  {
    name: 'node',
    after: [],
    observe: async () => {
      const isRecent = Number(process.versions.node.split('.')[0]) >= oldestNode;
      return isRecent ? ok(process.version) : failed(`${process.version} is older than ${oldestNode}`);
    },
    fix: `Run the programs with Node.js ${oldestNode} or newer.`,
  },
  {
    name: 'keys',
    after: [],
    observe: checkKeys,
    fix: 'Correct the place and the address of the key (docs/operate/keys.md).',
  },
  { name: 'files', after: [], observe: checkFiles, fix: 'chmod 600 the file.' },
  {
    name: 'token keys',
    after: [],
    observe: checkTokenKeys,
    fix: 'Make the file with npx -y pnpm@12 operate token-keys rotate.',
  },
  ...databaseChecks,
  {
    name: 'binding',
    after: ['database'],
    observe: checkBinding,
    fix: 'Use the database of this vault, or a new one.',
  },
  {
    name: 'positions',
    after: ['database'],
    observe: checkPositions,
    fix: 'End the session that holds the lock (docs/operate/runbook/DatabaseBusy.md); lev positions frozen lists those to review.',
  },
  {
    name: 'partners',
    after: ['database'],
    observe: checkPartners,
    fix: 'npx -y pnpm@12 operate partners create, then operate keys issue.',
  },
  {
    name: 'fills',
    after: ['database'],
    observe: checkFills,
    fix: 'Start a filler, or read the log and /readyz of those that run (docs/operate/runbook/OpeningsUnfilled.md).',
  },
  { name: 'venue', after: [], observe: checkVenue, fix: 'Correct VENUE_URL, or wait until the venue answers.' },
  clockCheck,
  {
    name: 'price signers',
    after: ['nodes', 'contracts'],
    observe: checkPriceSigners,
    fix: 'Start the price signer, send it coin, or correct PRICE_SIGNER_URLS (docs/operate/price-signers.md).',
  },
  {
    name: 'api',
    after: [],
    observe: checkApi,
    fix: 'Start the API, and read its log (docs/operate/runbook/ProgramAway.md).',
  },
];
