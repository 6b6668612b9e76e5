import { raw } from '@core/pricing';
import { bidOf, Lev, type LevUser, PositionNotOpenedError, type Quote, ticketOf, verifyQuote } from '@core/sdk';
import { createWalletClient, formatUnits, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { readSettings } from './settings.ts';

const { apiUrl, apiKey, rpcUrl, privateKey } = readSettings(process.env);
const account = privateKeyToAccount(privateKey);
const wallet = createWalletClient({ account, transport: http(rpcUrl) });
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

// The client uses the partner's key. The partner has verified that its user holds the wallet and acts for that user.
const lev = new Lev({ baseUrl: apiUrl, apiKey, chain: rpcUrl });
const me = lev.asUser(() => lev.tokens.create({ wallet_address: account.address }));

/**
 * Return a verified quote on the deepest market.
 *
 * @throws Error that says what is missing when no market can be quoted.
 */
async function quoteOf(notionalUsd: string): Promise<Quote> {
  const markets = me.markets.list({ accepting_new_positions: true, expand: ['prices'], sort: 'depth_desc' });
  const [market] = (await markets.firstPage()).data;
  if (market === undefined) throw new Error('no market accepts positions now');
  const side = market.sided_eligibility.yes.accepting_new_positions ? 'yes' : 'no';
  const draft = await me.quotes.draft({ ticker: market.ticker, side, leverage: '2', notionalUsd, allowRevision: true });
  const ticket = ticketOf(draft, { markPricePips: bidOf(market, side) });
  const winUsd = formatUnits(raw(ticket.winPaysUsdcUnits), 6);
  say(`draft      ${market.ticker} ${side}: pay ${draft.total_user_amount_usd} USD, payout if it wins ${winUsd} USD`);
  const missing = (await me.preflight(draft, { account: account.address })).filter(({ isMet }) => !isMet);
  // The allowance is requested when the position is opened.
  for (const { name, fix } of missing) if (name !== 'allowance') throw new Error(fix ?? name);
  const quote = await me.quotes.promote(draft);
  const check = await verifyQuote(quote, { account: account.address, contractInfo: await lev.contractInfo(), market });
  if (!check.verified) throw new Error(`the quote's ${check.field} is not what it should be`);
  say(`quote      verified, good until ${quote.expires_at}`);
  return quote;
}

/** Print the events of a position until it has ended. */
async function follow(user: LevUser, key: string): Promise<void> {
  for await (const event of user.events.stream()) {
    if (event.type === 'gap') say('event      some were left out: the position is read again');
    if (event.type === 'snapshot' || event.type === 'gap' || event.type === 'notification') continue;
    if (event.data.on_chain_position_key !== key) continue;
    say(`event      ${event.type}`);
    if ('result' in event.data) return;
  }
}

const quote = await quoteOf('40');
const following = follow(me, quote.on_chain_position_key);
try {
  const position = await me.positions.open(quote, wallet);
  say(`opened     ${position.id}`);
  const result = await me.positions.close(position, { wallet, minPriceUsd: '0.01' });
  await following;
  say(`${result.status.padEnd(10)} ${'result' in result ? result.result.proceeds_usd : '0.00'} USD came back`);
} catch (error) {
  if (!(error instanceof PositionNotOpenedError)) throw error;
  say(`refunded   ${error.reason}`);
  process.exitCode = 1;
}
