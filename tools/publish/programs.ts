import { publicScope } from './published.ts';

/**
 * A program that uses the packages: a size and its cost, an error of the table, an answer parsed by its schema, and a
 * digest that the vault would compute. It runs unchanged in Node and, bundled, in a browser.
 */
export const plainJavaScript = `
import { errorTable } from '${publicScope}/errors';
import { positionStates } from '${publicScope}/position';
import { formatUsd, leverageBps, rateBps, snapQuote, toUsdPips, usdcUnits, usdPips } from '${publicScope}/pricing';
import { ApiError, Lev } from '${publicScope}/sdk';
import { createPositionDigest, explainRevert, vaultAbi } from '${publicScope}/vault';
import { routes, token } from '${publicScope}/wire';

const size = snapQuote({ notionalUsdPips: usdPips(1000000n), leverageBps: leverageBps(30000n) });
const digest = createPositionDigest({
  positionSeed: '0x' + '00'.repeat(16),
  user: '0x' + '00'.repeat(20),
  venueMarketId: '0x' + '00'.repeat(32),
  venueTokenId: 0n,
  collateralUsdcUnits: usdcUnits(0n),
  leverageBps: leverageBps(0n),
  notionalUsdcUnits: usdcUnits(0n),
  originationFeeBps: rateBps(0n),
  lifetimeFeeAprBps: rateBps(0n),
  liquidationFeeBps: rateBps(0n),
  signatureExpiry: 0n,
  chainId: 0,
  vault: '0x' + '00'.repeat(20),
});
let refusal = '';
try {
  usdPips(1.5);
} catch (cause) {
  refusal = cause.name;
}
export const answer = [
  formatUsd(toUsdPips(size.collateralUsdcUnits, 'down')),
  digest,
  refusal,
  explainRevert('0xef6d0f02')?.name,
  typeof token.parse,
  [ApiError, Lev].every((one) => typeof one === 'function'),
  [errorTable, positionStates, routes, vaultAbi].every((table) => Object.keys(table).length > 5),
].join(' ');
globalThis.console.log(answer);
`;

/** Output of \`plainJavaScript\`; its digest is the first vector of the vault's tests. */
export const plainAnswer =
  '33.3333 0x781034e557d62918663d137c66112227babe80b6ce23cedb62aacd3ebed821ee TypeError NotGuardian function true true';

/**
 * A program for a page without HTTPS, which has neither `crypto.randomUUID` nor `crypto.subtle`: two requests with
 * their idempotency keys, and a verified quote.
 */
export const pageProgram = `
import { Lev, verifyQuote } from '${publicScope}/sdk';
import { exampleOf } from '${publicScope}/wire';

const keys = new Set();
const onRequest = ({ headers }) => keys.add(headers['idempotency-key']);
const lev = new Lev({ baseUrl: globalThis.location.origin, apiKey: 'key', onRequest });
const create = () => lev.tokens.create({ wallet_address: '0x' + '00'.repeat(20) });
const tokens = [await create(), await create()];
const quote = exampleOf('createQuote').response;
const contractInfo = exampleOf('getContractInfo').response;
const check = await verifyQuote(quote, { account: quote.authority_public_key, contractInfo });
const { isSecureContext, crypto } = globalThis;
const missing = ['randomUUID', 'subtle'].filter((name) => crypto[name] === undefined);
globalThis.console.log(
  [isSecureContext, missing, tokens.map(({ token }) => token), keys.size, check.verified].join(' '),
);
`;

/** Output of `pageProgram`. */
export const pageAnswer = 'false randomUUID,subtle one,one 2 true';

/** The same names for the compiler, with errors that it must report. */
export const plainTypeScript = `
import { type ErrorCode, type Rejection, reject } from '${publicScope}/errors';
import type { Position } from '${publicScope}/position';
import { add, leverageBps, type SnappedSize, snapQuote, usdcUnits, usdPips } from '${publicScope}/pricing';
import type { ErrorCode as ClientErrorCode, Lev, Page } from '${publicScope}/sdk';
import { type CreatePositionFields, createPositionDigest, vaultAbi } from '${publicScope}/vault';
import { type QuoteWire, type RouteName, routes } from '${publicScope}/wire';

export const size: SnappedSize = snapQuote({ notionalUsdPips: usdPips(1n), leverageBps: leverageBps(30000n) });
export const more = add(size.collateralUsdcUnits, usdcUnits(1n));
// @ts-expect-error pips and units do not mix
export const mixed = add(usdPips(1n), usdcUnits(1n));
// @ts-expect-error a plain number is no quantity
export const plain = add(usdPips(1n), 1n);
export const code: ErrorCode = 'quote_price_too_low';
// @ts-expect-error no such code
export const unknown: ErrorCode = 'quote_too_nice';
export const path: string = routes['GET /markets' as RouteName].path;
export const digestOf = (fields: CreatePositionFields): \`0x\${string}\` => createPositionDigest(fields);
export type Names = Extract<(typeof vaultAbi)[number], { type: 'error' }>['name'];
export const revertName: Names = 'NotGuardian';
export const status = (position: Position, quote: QuoteWire): string => position.status + quote.position_seed_hex;
export const clientCode: ClientErrorCode = code;
export const client = (lev: Lev): Lev => lev;
export type Listed = Page<QuoteWire>;
export const refuse: typeof reject extends (...args: never[]) => Rejection ? true : false = true;
`;
