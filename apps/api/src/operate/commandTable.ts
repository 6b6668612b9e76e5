import { parseArgs } from 'node:util';
import { FriendlyError } from '@core/runtime';
import type { Call, CommandRow } from './command.ts';
import { checkDatabase, migrateDatabase } from './database.ts';
import { doctor } from './doctor/doctor.ts';
import { issueKey, revokeKey, rotateKeys } from './keys.ts';
import { setMarketShares, showMarketShares } from './marketShares.ts';
import { disableMarket, enableMarket, listOracles, resumeOracle } from './markets.ts';
import { createPartner, disablePartner, listPartners, partnerTerms } from './partners.ts';
import { fillPool } from './pool.ts';
import { exportDatabase, rebuildDatabase } from './rebuild.ts';
import { createRoleKey } from './roleKeyFile.ts';
import { retireTokenKeys, rotateTokenKeys } from './tokenKeyFile.ts';
import { operateVault } from './vault/operateVault.ts';
import { vaultAddresses } from './vaultAddresses.ts';

const vaultRow = (usage: string, summary: string): CommandRow => ({
  usage: `vault ${usage}`,
  summary,
  run: async ({ vault }, { args }) => ({ value: await operateVault(usage.split(' ')[0] ?? '', args, vault) }),
});

const environmentOption = { environment: '<sandbox|production>' };
const setOption = { set: '<field=value>' };

/** Operator commands, in the order of the help. */
const commandTable: readonly CommandRow[] = [
  {
    usage: 'doctor',
    summary: 'compare the settings of the programs with chain, database, venue, price signers and API',
    run: doctor,
  },
  {
    usage: 'database migrate',
    summary: 'apply pending database migrations',
    run: migrateDatabase,
  },
  {
    usage: 'database check',
    summary: 'check that the database is reachable and has no pending migrations',
    run: checkDatabase,
  },
  {
    usage: 'database export <file>',
    summary: 'write partners, hashes of keys and quotes of positions, which no chain gives back',
    run: exportDatabase,
  },
  {
    usage: 'database rebuild',
    summary: 'migrate an empty database and add the rows of an export',
    options: { from: '<file>' },
    run: rebuildDatabase,
  },
  {
    usage: 'partners create <name>',
    summary: 'create a partner with the default terms, or those of --set',
    options: { ...environmentOption, ...setOption },
    run: createPartner,
  },
  { usage: 'partners list', summary: 'list partners with their keys', run: listPartners },
  {
    usage: 'partners terms <name>',
    summary: 'show the terms of a partner; --set changes them for new quotes',
    options: setOption,
    run: partnerTerms,
  },
  {
    usage: 'partners disable <name>',
    summary: 'revoke all keys of a partner and block its new positions',
    run: disablePartner,
  },
  {
    usage: 'keys issue <partner>',
    summary: 'issue an API key; a partner has at most two active ones',
    options: { file: '<path>' },
    run: issueKey,
  },
  {
    usage: 'keys rotate <partner>',
    summary: 'issue an API key and revoke all others of the partner',
    options: { file: '<path>' },
    run: rotateKeys,
  },
  { usage: 'keys revoke <key>', summary: 'revoke an API key by its ID', run: revokeKey },
  {
    usage: 'role-keys create <file>',
    summary: 'create a private key of a role, or show the address of an existing one',
    run: createRoleKey,
  },
  {
    usage: 'token-keys rotate <file>',
    summary: 'sign user tokens with a new key; the previous key still verifies',
    run: rotateTokenKeys,
  },
  {
    usage: 'token-keys retire <file>',
    summary: 'verify user tokens of the signing key only',
    run: retireTokenKeys,
  },
  {
    usage: 'markets disable <ticker>',
    summary: 'refuse new positions in a market',
    options: { reason: '<text>' },
    run: disableMarket,
  },
  { usage: 'markets enable <ticker>', summary: 'accept new positions in a market again', run: enableMarket },
  { usage: 'oracles list', summary: 'list stopped oracles; their markets are not quoted', run: listOracles },
  { usage: 'oracles resume <address>', summary: 'resume quotes for the markets of an oracle', run: resumeOracle },
  {
    usage: 'market-shares show',
    summary: 'show the number of market shares, and those that each keeper holds',
    run: showMarketShares,
  },
  {
    usage: 'market-shares set <count>',
    summary: 'change the number of shares into which running keepers divide the markets',
    run: setMarketShares,
  },
  {
    usage: 'pool fill',
    summary: 'deposit assets and fund the reserve up to these USDC totals of the pool',
    options: { assets: '<usdc>', reserve: '<usdc>', owner: '<address>' },
    run: fillPool,
  },
  {
    usage: 'vault addresses',
    summary: 'show the contracts of the vault as settings of the programs',
    run: vaultAddresses,
  },
  vaultRow('signers', 'show the number of price signers and the threshold of an order'),
  vaultRow('raise-alarm', 'require all price signers but one for every order for six hours'),
  vaultRow('set-role <role> <address> <yes|no>', 'appoint or remove a keeper, price-signer or oracle'),
  vaultRow('set-quote-signer <address|none>', 'accept the quotes of this key alone; none: of no key'),
  vaultRow('threshold <count>', 'require this many signatures for an order'),
  vaultRow('loan <position key>', 'show the debt of a position, and its impaired part'),
  vaultRow('impair <position key>', 'count a loan as likely lost for withdrawals from the pool'),
  vaultRow('clear <position key>', 'count a loan in full again'),
  vaultRow('schedule <call …>', 'propose one of these calls in the timelock that owns the vault'),
  vaultRow('execute <call …>', 'execute a scheduled call once its delay is over'),
];

const optionText = ({ options = {} }: CommandRow): string =>
  Object.entries(options)
    .map(([name, form]) => ` [--${name} ${form}]`)
    .join('');

/** Help of all commands. */
const usage = commandTable
  .map((row) => `operate ${row.usage}${optionText(row)}\n    ${row.summary}`)
  .concat('Every command accepts --json, which prints refusals as JSON too.')
  .join('\n');

/** Return the words that name a command: its usage without arguments. */
const wordsOf = (row: CommandRow): readonly string[] => row.usage.replace(/ <.*/, '').split(' ');

/**
 * Find the command and parse its arguments and options.
 * @throws FriendlyError with the usage for an unknown command or wrong arguments.
 */
export function callOf(words: readonly string[]): { readonly row: CommandRow; readonly call: Call } {
  const row = commandTable.find((each) => {
    return wordsOf(each).every((word, index) => word === words[index]);
  });
  if (row === undefined) throw new FriendlyError(usage);
  const placeholders = row.usage.match(/<[^>]+>/g) ?? [];
  const { positionals, values } = parsed(row, words.slice(wordsOf(row).length));
  const isOpenEnded = placeholders.at(-1)?.endsWith('…>') === true;
  const isComplete = isOpenEnded
    ? positionals.length >= placeholders.length
    : positionals.length === placeholders.length;
  if (!isComplete) throw new FriendlyError(usage);
  const option = (name: string): string | undefined => {
    const value = values.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  const changed = values.get('set');
  const changes = Array.isArray(changed) ? changed.map(String) : [];
  return { row, call: { args: positionals, option, changes } };
}

function parsed({ options = {} }: CommandRow, words: readonly string[]) {
  const named = Object.keys(options).map(
    (name) => [name, { type: 'string' as const, multiple: name === 'set' }] as const,
  );
  try {
    const options = { json: { type: 'boolean' as const }, ...Object.fromEntries(named) };
    const { positionals, values } = parseArgs({ args: [...words], options, allowPositionals: true });
    return { positionals, values: new Map<string, unknown>(Object.entries(values)) };
  } catch (cause) {
    if (cause instanceof TypeError) throw new FriendlyError(`${cause.message}\n${usage}`, { cause });
    throw cause;
  }
}
