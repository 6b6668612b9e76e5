import { walletBatchMessageOf } from '@core/venue';
import { json, Router } from 'express';
import { type Address, type Hex, isAddress, isAddressEqual, isHex, keccak256, recoverAddress, toHex } from 'viem';
import { z } from 'zod';
import type { ApiKeys } from '../credentials/apiKeys.ts';
import type { RelayedRequest } from '../credentials/walletRegistry.ts';
import type { SimVenue } from '../venue/simVenue.ts';

const address = z.string().refine((text): text is Address => isAddress(text, { strict: false }));
const hex = z.string().refine((text): text is Hex => isHex(text));
const whole = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt);
const call = z.looseObject({ target: address, value: whole, data: hex });
const requestSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('WALLET-CREATE'), from: address, to: address }),
  z.looseObject({
    type: z.literal('WALLET'),
    from: address,
    to: address,
    nonce: whole,
    signature: hex,
    depositWalletParams: z.looseObject({ depositWallet: address, deadline: whole, calls: z.array(call).min(1) }),
  }),
]);
type SentRequest = z.output<typeof requestSchema>;
type SentBatch = Extract<SentRequest, { type: 'WALLET' }>;

/** Maximum requests per key and minute. */
const requestsPerMinute = 25;

/** A transaction that the relayer took, or the text with which it refuses one. */
type Relayed = RelayedRequest | string;

/** Create the wallet of a key's owner. */
async function createdWallet(venue: SimVenue, owner: Address): Promise<Relayed> {
  const { wallets } = venue;
  const wallet = wallets.walletOf(owner);
  if (wallets.chain !== null && wallet !== null) {
    if (await wallets.isMade(wallet)) return 'wallet is already deployed';
    if (wallets.isBusy(wallet)) return 'wallet busy: it has an active action';
  }
  return wallets.make(owner) ?? 'call blocked: this venue has no wallets';
}

/** Return the reason for blocking a call of a batch; null when it may be made. */
function blockOf({ wallets }: SimVenue, wallet: Address, target: Address): string | null {
  if (isAddressEqual(target, wallet)) return 'self-call';
  const beacon = wallets.contracts?.walletBeacon;
  const isBeacon = beacon !== undefined && isAddressEqual(target, beacon);
  return isBeacon ? `calls to ${target} are not permitted` : null;
}

async function isSignedBy(owner: Address, message: Uint8Array, signature: Hex): Promise<boolean> {
  try {
    return isAddressEqual(await recoverAddress({ hash: keccak256(message), signature }), owner);
  } catch (error) {
    // A malformed signature belongs to no account.
    if (error instanceof Error) return false;
    throw error;
  }
}

/** Relay a batch that the owner of a wallet has signed, after the checks that need no transaction. */
async function relayedBatch(venue: SimVenue, owner: Address, sent: SentBatch): Promise<Relayed> {
  const { wallets, options } = venue;
  const { depositWallet: wallet, deadline, calls } = sent.depositWalletParams;
  if (wallets.chain === null) return 'call blocked: only WALLET-CREATE is relayed';
  const own = wallets.walletOf(owner);
  if (own === null || !isAddressEqual(own, wallet)) return 'call blocked: a key moves its own wallet alone';
  for (const [index, { target }] of calls.entries()) {
    const block = blockOf(venue, wallet, target);
    if (block !== null) return `call blocked: call[${index}] blocked: ${block}`;
  }
  if (!(await wallets.isMade(own))) return 'wallet is not deployed';
  if (wallets.isBusy(own)) return 'wallet busy: it has an active action';
  const nonce = await wallets.chain.nonceOf(own);
  if (sent.nonce !== nonce) return `batch nonce ${sent.nonce} does not match on-chain nonce ${nonce}`;
  if (deadline * 1000n <= BigInt(venue.nowMs)) return 'batch deadline is over';
  const batch = { wallet: own, nonce, deadline, calls };
  const domain = { ...options.profile.walletDomain, chainId: options.domain.chainId };
  if (!(await isSignedBy(owner, walletBatchMessageOf(batch, domain), sent.signature))) return 'invalid signature';
  return wallets.execute(batch, sent.signature) ?? 'call blocked: only WALLET-CREATE is relayed';
}

function relayed(venue: SimVenue, owner: Address, sent: SentRequest): Promise<Relayed> | string {
  if (!isAddressEqual(sent.from, owner)) return 'call blocked: a key moves its own wallet alone';
  return sent.type === 'WALLET' ? relayedBatch(venue, owner, sent) : createdWallet(venue, owner);
}

/** Routes of the relayer, which creates deposit wallets and, on a chain with their contracts, executes batches. */
export function relayerRoutes(venue: SimVenue, apiKeys: ApiKeys): Router {
  const router = Router();
  const sentAtMs = new Map<string, number[]>();
  const isLimited = (key: string): boolean => {
    const recent = (sentAtMs.get(key) ?? []).filter((atMs) => atMs > venue.nowMs - 60_000);
    sentAtMs.set(key, [...recent, venue.nowMs]);
    return recent.length >= requestsPerMinute;
  };
  router.post('/submit', json({ limit: '64kb' }), async (request, response) => {
    const key = request.header('RELAYER_API_KEY') ?? '';
    const owner = request.header('RELAYER_API_KEY_ADDRESS') ?? '';
    if (!isAddress(owner, { strict: false }) || !apiKeys.builderKeysOf(owner).includes(key)) {
      response.status(401).json({ error: 'invalid authorization' });
      return;
    }
    if (isLimited(key)) {
      response.status(429).json({ error: 'quota exceeded' });
      return;
    }
    const parsed = requestSchema.safeParse(request.body);
    const answer = parsed.success ? await relayed(venue, owner, parsed.data) : 'call blocked: the request is malformed';
    if (typeof answer === 'string') response.status(400).json({ error: answer });
    else response.json({ transactionID: answer.id, state: 'STATE_NEW', transactionHash: null });
  });
  readRoutes(venue, router);
  return router;
}

/** Routes about wallets and requests, open to all. */
function readRoutes(venue: SimVenue, router: Router): void {
  const { wallets } = venue;
  router.get('/deployed', async (request, response) => {
    const wallet = address.safeParse(request.query['address']).data;
    response.json({ deployed: wallet !== undefined && (await wallets.isMade(wallet)) });
  });
  router.get('/v1/account/transactions/params', async (request, response) => {
    const owner = address.safeParse(request.query['address']).data;
    const wallet = owner === undefined ? null : wallets.walletOf(owner);
    if (wallet === null || request.query['type'] !== 'WALLET') response.status(400).json({ error: 'invalid address' });
    else response.json({ address: owner, nonce: String((await wallets.chain?.nonceOf(wallet)) ?? 0n) });
  });
  router.get('/v1/account/transactions/:id', (request, response) => {
    const relayedRequest = wallets.request(request.params.id);
    if (relayedRequest === undefined) response.status(404).json({ error: 'not found' });
    else response.json(wireRequestOf(relayedRequest));
  });
}

/** Present a request. Without a chain its id stands for the transaction. */
const wireRequestOf = ({ id, type, wallet, state, transactionHash, errorText }: RelayedRequest) => ({
  transaction_id: id,
  state,
  transaction_hash: transactionHash ?? (state === 'STATE_CONFIRMED' ? keccak256(toHex(id)) : ''),
  error_msg: errorText,
  type,
  proxy_address: wallet,
});
