const runbook = (page: string): string => `docs/operate/runbook/${page}.md`;

/** Repairs by what `/readyz` of the API misses, the causes before their effects. */
const repairs: Readonly<Record<string, string>> = {
  database: `Repair the database (${runbook('DatabaseAway')}, ${runbook('DatabaseUnwritable')}).`,
  chain: 'Correct RPC_URL of the API, or replace its node.',
  chain_head: `Replace the node of the API, or set the clock of its machine (${runbook('NodeBehind')}).`,
  quote_signer: 'Have the owner of the vault accept the quote key, or use the accepted one (docs/operate/keys.md).',
  pool_empty: `Deposit with npx -y pnpm@12 operate pool fill (${runbook('PoolEmpty')}).`,
  feed: `Wait until the venue answers, or correct its addresses (${runbook('VenueAway')}).`,
  price_signers: `Start the price signers, or set the clocks of their machines (${runbook('PriceSignersAway')}).`,
  keeper_silent: `Start a keeper, and read its log (${runbook('ProgramAway')}).`,
  markets_unwatched: `Start a keeper, and read its log (${runbook('ProgramAway')}, ${runbook('SharesUnheld')}).`,
  keeper_role_lost: `Appoint the keeper again, or start another one (${runbook('KeeperRoleLost')}).`,
  keeper_gas_above_ceiling: `Wait for cheaper gas, or raise KEEPER_MAX_FEE_GWEI (${runbook('GasPriceHigh')}).`,
  keeper_balance_too_low: `Send native coin to the keeper (${runbook('KeeperCoinLow')}).`,
  keeper_sends_refused: `Read the answer of the node in refusal of /readyz (${runbook('NonceStuck')}).`,
  keeper_nonce_stuck: `Compare nonces and price of gas (${runbook('NonceStuck')}).`,
  keeper_chain_unreachable: `Replace the nodes of the keepers (${runbook('NodesAway')}).`,
  keeper_head_too_old: `Replace the nodes of the keepers, or set the clocks of their machines (${runbook('NodeBehind')}).`,
  keeper_clock_ahead: `Set the clocks of the keepers, or wait for that of the chain (${runbook('NodeBehind')}).`,
  openings_unfilled: `Start a filler, or read its log and /readyz (${runbook('OpeningsUnfilled')}).`,
  sales_unfilled: `Start a filler, or read its log and /readyz (${runbook('SalesLate')}).`,
};

/** Return the repair of the first cause; undefined for one that is not known here. */
export const apiRepairOf = (missing: readonly string[]): string | undefined =>
  Object.keys(repairs).flatMap((need) => (missing.includes(need) ? [repairs[need]] : []))[0];
