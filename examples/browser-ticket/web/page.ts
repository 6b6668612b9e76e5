import { type RateBps, raw } from '@core/pricing';
import { bidOf, type DraftQuote, Lev, type LevUser, type Market, midOf, type Position, ticketOf } from '@core/sdk';
import { formatUnits } from 'viem';
import { type BrowserWallet, connectWallet } from './browserWallet.ts';

interface Config {
  readonly apiUrl: string;
  readonly rpcUrl: string;
}

/** Clients of a visitor who has signed in. */
interface Session {
  readonly me: LevUser;
  readonly wallet: BrowserWallet;
  readonly markets: ReadonlyMap<string, Market>;
}

function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const node = document.getElementById(id);
  if (!(node instanceof kind)) throw new Error(`the page has no ${id}`);
  return node;
}

const connect = element('connect', HTMLButtonElement);
const order = element('order', HTMLFormElement);
const market = element('market', HTMLSelectElement);
const leverage = element('leverage', HTMLInputElement);
const notional = element('notional', HTMLInputElement);
const figures = element('ticket', HTMLDListElement);
const open = element('open', HTMLButtonElement);
const close = element('close', HTMLButtonElement);
const status = element('status', HTMLParagraphElement);

const say = (text: string): void => {
  status.textContent = text;
};

async function post(path: string, body: object): Promise<Readonly<Record<string, string>>> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

/** Prove the wallet to the server and receive a token. The partner's key stays on the server. */
async function signIn(): Promise<Session> {
  const { apiUrl, rpcUrl }: Config = await (await fetch('/config.json')).json();
  const wallet = await connectWallet(rpcUrl);
  const { address } = wallet.account;
  const { message = '' } = await post('/challenge', { address });
  const { token = '' } = await post('/token', { address, signature: await wallet.sign(message) });
  const me = new Lev({ baseUrl: apiUrl, chain: rpcUrl }).asUser(token);
  const page = me.markets.list({ accepting_new_positions: true, expand: ['prices'], sort: 'depth_desc' });
  const markets = new Map((await page.firstPage()).data.map((one) => [one.ticker, one] as const));
  return { me, wallet, markets };
}

async function draftOf({ me, markets }: Session): Promise<DraftQuote> {
  const chosen = markets.get(market.value);
  if (chosen === undefined) throw new Error('No market accepts positions now.');
  const side = chosen.sided_eligibility.yes.accepting_new_positions ? 'yes' : 'no';
  const draft = await me.quotes.draft({
    ticker: chosen.ticker,
    side,
    leverage: leverage.value,
    notionalUsd: notional.value,
    allowRevision: true,
  });
  const feeRates = await me.feeRates({ ticker: chosen.ticker });
  const prices = { markPricePips: bidOf(chosen, side), midPricePips: midOf(chosen, side) };
  show(draft, ticketOf(draft, { ...prices, feeRates }));
  return draft;
}

const usd = (units: bigint): string => `$${formatUnits(units, 6)}`;
const price = (pips: bigint): string => `$${formatUnits(pips, 4)}`;

const percentOf = (rate: RateBps | null): string => (rate === null ? 'not measured' : `${Number(raw(rate)) / 100} %`);

function show(draft: DraftQuote, ticket: ReturnType<typeof ticketOf>): void {
  const rows: readonly (readonly [string, string])[] = [
    ['Side', draft.effective_side.toUpperCase()],
    ['You pay', `$${draft.total_user_amount_usd}`],
    ['Entry', `$${draft.entry_price_usd}`],
    ['Liquidation', `$${draft.current_liquidation_price_usd}`],
    ['An hour costs', usd(raw(ticket.holdCostPerHourUsdcUnits))],
    ['Open and close at once, about', percentOf(ticket.measuredRoundTripCostBps)],
    ['At worst, of the collateral', percentOf(ticket.worstRoundTripCostBps)],
    ['Breaks even at', ticket.breakEvenPricePips === null ? 'no price' : price(raw(ticket.breakEvenPricePips))],
    ['Payout if you win', usd(raw(ticket.winPaysUsdcUnits))],
    ['The same stake without leverage', usd(raw(ticket.winWithoutLeverageUsdcUnits))],
  ];
  const cells = rows.flatMap(([name, value]) => [
    Object.assign(document.createElement('dt'), { textContent: name }),
    Object.assign(document.createElement('dd'), { textContent: value }),
  ]);
  figures.replaceChildren(...cells);
}

const stepTexts = {
  approve: 'The wallet is asked to allow the cost.',
  sign: 'The wallet is asked to sign.',
  send: 'Sent.',
  wait: 'In a block. The order is being filled.',
} as const;

async function openPosition({ me, wallet }: Session, draft: DraftQuote): Promise<Position> {
  const quote = await me.quotes.promote(draft);
  for await (const step of me.positions.open(quote, wallet)) {
    if (step.step === 'done') return step.result;
    say(stepTexts[step.step]);
  }
  throw new Error('The opening ended without a result.');
}

/** Run the action of a button, which is disabled meanwhile, and show its error. */
function does(button: HTMLButtonElement, act: () => Promise<void>): void {
  button.disabled = true;
  act()
    .catch((error: unknown) => say(error instanceof Error ? error.message : String(error)))
    .finally(() => {
      button.disabled = false;
    });
}

async function start(): Promise<void> {
  const session = await signIn();
  let draft: DraftQuote | null = null;
  let position: Position | null = null;
  market.replaceChildren(
    ...[...session.markets.values()].map(({ title, ticker }) => new Option(title ?? ticker, ticker)),
  );
  connect.hidden = true;
  order.hidden = false;
  order.addEventListener('submit', (event) => {
    event.preventDefault();
    does(open, async () => {
      draft = await draftOf(session);
      open.hidden = false;
    });
  });
  open.addEventListener('click', () =>
    does(open, async () => {
      if (draft === null) return;
      position = await openPosition(session, draft);
      close.hidden = false;
      say(`Position ${position.status}.`);
    }),
  );
  close.addEventListener('click', () =>
    does(close, async () => {
      if (position === null) return;
      const ended = await session.me.positions.close(position, { wallet: session.wallet, minPriceUsd: '0.01' });
      say(`Position ${ended.status}.`);
    }),
  );
}

connect.addEventListener('click', () => does(connect, start));
