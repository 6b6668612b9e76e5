import { setTimeout as delay } from 'node:timers/promises';
import { type SelectedVenue, scaledOf } from '@core/venue';
import { type Probe, probe } from '../probe.ts';
import type { VenueAccount } from './venueAccount.ts';

/** Outcome of a step: as expected, otherwise, or not run with the reason. */
export interface StepOutcome {
  readonly state: 'expected' | 'unexpected' | 'not_run';
  readonly detail: string;
}

/** Dependencies of the steps. */
export interface VenueWorld {
  readonly venue: SelectedVenue;
  /** Null without a key: only public reads are made. */
  readonly account: VenueAccount | null;
  /** Token of the orders; null when none is named. */
  readonly tokenId: bigint | null;
  /** Upper bound of the money that orders may spend, millionths of a dollar; 0 places none. */
  readonly budgetUnits: bigint;
}

/** One experiment on the venue. */
export interface VenueStep {
  readonly name: string;
  /** Text or state that is expected of the venue. */
  readonly expected: string;
  /** Action, cost included, as the dry run prints it. */
  readonly action: string;
  readonly run: (world: VenueWorld) => Promise<StepOutcome>;
}

const fieldOf = (answer: unknown, name: string): unknown =>
  typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined;

const notRun = (detail: string): StepOutcome => ({ state: 'not_run', detail });
const outcomeOf = (isExpected: boolean, detail: string): StepOutcome => ({
  state: isExpected ? 'expected' : 'unexpected',
  detail,
});

const shownCharacters = 200;
/** Status and body of an answer, or the failure of the connection. */
const textOf = ({ status, body, failure }: Probe): string =>
  status === null ? String(failure) : `${status} ${JSON.stringify(body)}`.slice(0, shownCharacters);

/** Return the account and the token of a step with orders, or the reason why it does not run. */
function orderTermsOf({ account, tokenId, budgetUnits }: VenueWorld) {
  if (account === null) return 'VENUE_KEY_FILE is not set';
  if (tokenId === null) return 'no token: name one with --token';
  return budgetUnits === 0n ? 'dry run: allow orders with --spend <usd>' : { account, tokenId, budgetUnits };
}

async function checkPlace({ venue }: VenueWorld): Promise<StepOutcome> {
  const { profile, hosts } = venue;
  // A venue at another origin answers for itself.
  const isOwnOrigin = hosts.url !== profile.hosts?.url;
  const place = await probe(isOwnOrigin ? `${hosts.url}/api/geoblock` : (profile.geographyUrl ?? ''));
  const version = await probe(`${venue.hosts.url}/version`);
  const isOpen = fieldOf(place.body, 'blocked') === false;
  return outcomeOf(isOpen && version.status === 200, `${textOf(place)}; /version ${textOf(version)}`);
}

/** An address without a key or code. */
const foreignMaker = '0x00000000000000000000000000000000000f04e1';
const signerText = /maker address not allowed|signer address has to be the address of the api key/i;

async function tryForeignMaker(world: VenueWorld): Promise<StepOutcome> {
  const terms = orderTermsOf(world);
  if (typeof terms === 'string') return notRun(terms);
  const { account, tokenId } = terms;
  const order = { tokenId, moneyUnits: 50_000n, tokenUnits: 5_000_000n, orderType: 'GTC' } as const;
  const answer = await account.post({ ...order, maker: foreignMaker });
  return outcomeOf(signerText.test(textOf(answer)), textOf(answer));
}

async function tryRestingOrder(world: VenueWorld): Promise<StepOutcome> {
  const terms = orderTermsOf(world);
  if (typeof terms === 'string') return notRun(terms);
  const { account, tokenId } = terms;
  const posted = await account.post({ tokenId, moneyUnits: 50_000n, tokenUnits: 5_000_000n, orderType: 'GTC' });
  const orderId = fieldOf(posted.body, 'orderID');
  if (fieldOf(posted.body, 'status') !== 'live' || typeof orderId !== 'string') return outcomeOf(false, textOf(posted));
  const cancelled = await account.request('DELETE', '/order', { orderID: orderId });
  const ids = fieldOf(cancelled.body, 'canceled');
  return outcomeOf(Array.isArray(ids) && ids.includes(orderId), `live; ${textOf(cancelled)}`);
}

const oneUsd = 1_000_000n;
/** Largest overpayment of a purchase that has to find its counterparty: five cents. */
const maxSlipPips = 500n;

async function tryPurchase(world: VenueWorld): Promise<StepOutcome> {
  const terms = orderTermsOf(world);
  if (typeof terms === 'string') return notRun(terms);
  const { account, tokenId, budgetUnits } = terms;
  if (budgetUnits < oneUsd) return notRun('needs --spend 1 or more');
  const book = await probe(`${world.venue.hosts.url}/book?token_id=${tokenId}`);
  const asks = fieldOf(book.body, 'asks');
  const prices = (Array.isArray(asks) ? asks : []).map((ask) => scaledOf(String(fieldOf(ask, 'price')), 4, 'down'));
  const best = prices.filter((pips) => pips !== null).toSorted((left, right) => (left < right ? -1 : 1))[0];
  if (best === undefined || best <= 0n) return notRun(`no asks on token ${tokenId}`);
  // Four decimals of tokens at a price on the grid, rounded down.
  const limit = best + maxSlipPips > 9_900n ? best : best + maxSlipPips;
  const tokenUnits = ((oneUsd * 10_000n) / limit / 100n) * 100n;
  const answer = await account.post({ tokenId, moneyUnits: oneUsd, tokenUnits, orderType: 'FOK' });
  return outcomeOf(fieldOf(answer.body, 'status') === 'matched', textOf(answer));
}

const pollCount = 30;
const pollMs = 1_000;

async function timeFunding({ account }: VenueWorld): Promise<StepOutcome> {
  if (account === null) return notRun('VENUE_KEY_FILE is not set');
  const query = 'asset_type=COLLATERAL&signature_type=3';
  const startMs = performance.now();
  const updated = await account.request('GET', `/balance-allowance/update?${query}`);
  if (updated.status !== 200) return outcomeOf(false, textOf(updated));
  for (let poll = 0; poll < pollCount; poll += 1) {
    const answer = await account.request('GET', `/balance-allowance?${query}`);
    const balance = fieldOf(answer.body, 'balance');
    const seconds = Math.round((performance.now() - startMs) / 1_000);
    if (Number(balance) > 0) return outcomeOf(true, `balance ${String(balance)} seen ${seconds} s after the update`);
    await delay(pollMs);
  }
  return outcomeOf(false, `no balance ${pollCount} s after the update: fund ${account.wallet}`);
}

const byHand = (reason: string) => async (): Promise<StepOutcome> => notRun(`by hand: ${reason}`);

/** The experiments that decide how accounts can trade at the venue, in the order in which they depend on each other. */
export const venueSteps: readonly VenueStep[] = [
  {
    name: 'place',
    expected: '{"blocked": false} and a version',
    action: 'read the geography check and GET /version',
    run: checkPlace,
  },
  {
    name: 'foreign maker',
    expected: '400 the order signer address has to be the address of the API KEY',
    action: 'post an order of a maker that the key does not own; it costs nothing where it is refused',
    run: tryForeignMaker,
  },
  {
    name: 'resting order',
    expected: 'live, then canceled',
    action: 'post 5 tokens at 1 cent, post-only, and cancel them',
    run: tryRestingOrder,
  },
  {
    name: 'wallet batch',
    expected: 'taken, or call blocked: call[0] blocked: calls to 0x… are not permitted',
    action: 'approve a foreign contract by a batch of the deposit wallet',
    run: byHand('sign a batch with approve and setApprovalForAll in the venue’s relayer client'),
  },
  {
    name: 'wallet of a contract',
    expected: 'a wallet, or a refusal of the owner',
    action: 'ask the relayer for WALLET-CREATE with a contract as owner',
    run: byHand('the wallet stays with the contract named'),
  },
  {
    name: 'session key',
    expected: 'authorised for 4,315 hours',
    action: 'authorise a session key for orders only',
    run: byHand('the venue enables it for each Builder key'),
  },
  {
    name: 'session transfer',
    expected: 'refused; if it is taken, add a row to the trust table',
    action: 'send a transfer signed by the session key to the relayer',
    run: byHand('needs the session key of the step before'),
  },
  {
    name: 'order of a contract',
    expected: 'a refusal of the signature, or live',
    action: 'post an order of the wallet whose owner is a contract',
    run: byHand('needs the wallet of a contract'),
  },
  {
    name: 'fine amounts',
    expected: 'matched',
    action: 'buy for 1 USD with four decimals of tokens, FOK, on a token with a tick of 0.001',
    run: tryPurchase,
  },
  {
    name: 'funding',
    expected: 'a balance within seconds of the update',
    action: 'update the remembered balance and read it until it is above zero',
    run: timeFunding,
  },
];
