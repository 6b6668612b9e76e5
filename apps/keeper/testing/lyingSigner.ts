import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  type AttestationRequest,
  attestationPath,
  countersignaturePath,
  decodeAttestationRequest,
  decodeCountersignatureRequest,
  encodeAttestationAnswer,
  encodeCountersignatureAnswer,
  encodeUnsigned,
  httpAttestationSource,
  type WireAnswer,
} from '@core/attestation';
import type { PriceSigner } from '@core/price-signer';
import { type PricePips, pricePips, raw } from '@core/pricing';
import { listen } from '@core/runtime';
import { type PriceAttestation, SigningKey, signPriceAttestation, type VaultDomain } from '@core/vault';
import type { Hex } from 'viem';
import type { TestStack } from './startTestStack.ts';
import { whenFree } from './whenFree.ts';

/** Answer of an honest signer to a request. */
export interface HonestAnswer {
  readonly request: AttestationRequest;
  readonly attestation: PriceAttestation;
}

/** A price signer whose key is in other hands. */
export interface LyingSigner extends PriceSigner {
  /** Every price that it has turned into another, before it was. */
  readonly honestAnswers: readonly HonestAnswer[];
}

interface Liar {
  readonly key: SigningKey;
  readonly domain: VaultDomain;
  readonly source: ReturnType<typeof httpAttestationSource>;
  readonly honestAnswers: HonestAnswer[];
  readonly pricePercent: number;
}

/**
 * Answers on the protocol of the price signers, with its key and at their pace: it asks a real price signer, multiplies
 * mark and limit and signs that. Under the terms of others it puts its name whatever they are.
 */
export async function startLyingSigner(
  stack: TestStack,
  options: {
    readonly privateKey: Hex;
    readonly port?: number;
    /** Of the price that it sees: what it says. */
    readonly pricePercent: number;
  },
): Promise<LyingSigner> {
  const { privateKey, port = 0, pricePercent } = options;
  const { chainId, contracts } = stack.deployment;
  const behind = await stack.startPriceSigner(privateKey);
  const liar: Liar = {
    key: new SigningKey(privateKey),
    domain: { chainId, vault: contracts.vault },
    source: httpAttestationSource(stack.askedAt(behind)),
    honestAnswers: [],
    pricePercent,
  };
  const server = createServer((request, response) => {
    void answerOf(liar, request).then(
      ({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      () => response.destroy(),
    );
  });
  const { url, close } = await whenFree(port === 0 ? null : port, () => listen(server, { port }));
  return {
    url,
    address: behind.address,
    honestAnswers: liar.honestAnswers,
    close: async () => {
      await close();
      await behind.close();
    },
  };
}

async function answerOf(liar: Liar, request: IncomingMessage): Promise<WireAnswer> {
  if (request.method === 'GET') return { status: 200, body: { status: 'ready', address: liar.key.address } };
  const body: unknown = JSON.parse(await text(request));
  switch (request.url) {
    case attestationPath:
      return attested(liar, decodeAttestationRequest(body));
    case countersignaturePath: {
      const { attestation } = decodeCountersignatureRequest(body);
      const { signature } = await signPriceAttestation(liar.key, attestation, liar.domain);
      return encodeCountersignatureAnswer({ kind: 'signed', signature });
    }
    default:
      return encodeUnsigned({ kind: 'failed', code: 'not_found' });
  }
}

async function attested(
  { source, key, domain, honestAnswers, pricePercent }: Liar,
  request: AttestationRequest,
): Promise<WireAnswer> {
  const answer = await source.attest(request);
  if (answer.kind === 'refused') return encodeAttestationAnswer(answer);
  honestAnswers.push({ request, attestation: answer.attestation });
  const attestation = lieOf(answer.attestation, pricePercent);
  const own = await signPriceAttestation(key, attestation, domain);
  return encodeAttestationAnswer({ kind: 'signed', attestation, ...own });
}

/** The same at another price. */
export function lieOf(attestation: PriceAttestation, pricePercent: number): PriceAttestation {
  const shifted = (price: PricePips) => pricePips((raw(price) * BigInt(pricePercent)) / 100n);
  return { ...attestation, markPips: shifted(attestation.markPips), limitPips: shifted(attestation.limitPips) };
}
