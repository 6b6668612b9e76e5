import { Fault } from '@core/errors';
import { type Address, getAddress } from 'viem';
import { type AttestationAnswer, decodeAttestationAnswer } from './attestationAnswer.ts';
import { type AttestationRequest, encodeAttestationRequest } from './attestationRequest.ts';
import {
  type CountersignatureAnswer,
  type CountersignatureRequest,
  decodeCountersignatureAnswer,
  encodeCountersignatureRequest,
} from './countersignature.ts';
import type { AttestationFailure, ReceivedAnswer } from './unsignedAnswer.ts';
import { AttestationFormatError, readFields, readHex } from './wireFields.ts';

/** One price signer. */
export interface AttestationSource {
  /**
   * Its consent, asked for one position, purpose and size.
   *
   * @throws Fault, retryable, when there is no decision: the signer is away, failed, or answered out of protocol.
   */
  attest(request: AttestationRequest): Promise<AttestationAnswer>;
  /** Its signature under terms that are not its own. @throws Fault, retryable, when there is no decision. */
  countersign(request: CountersignatureRequest): Promise<CountersignatureAnswer>;
  /** The address it signs with, when it answers now and says that it can attest; null otherwise. */
  readyAddress(): Promise<Address | null>;
}

const requestTimeoutMs = 5_000;
/** Whether the signer answers at all is asked every second. */
const readinessTimeoutMs = 1_000;

/** Where the signer answers, below its origin. */
export const attestationPath = '/attestations';
export const countersignaturePath = '/countersignatures';

/** One question over HTTP and its whole answer; throws when there is none in time. */
export type HttpExchange = (question: {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
}) => Promise<{ readonly status: number; readonly text: string }>;

const fetchExchange: HttpExchange = async ({ url, timeoutMs, ...init }) => {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
  return { status: response.status, text: await response.text() };
};

/** The signer over its loopback HTTP, asked by `fetch` unless the program brings something quicker. */
export function httpAttestationSource({
  url,
  secret,
  exchange = fetchExchange,
}: {
  readonly url: string;
  readonly secret: string;
  readonly exchange?: HttpExchange;
}): AttestationSource {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const post = async (path: string, asked: object): Promise<ReceivedAnswer> => {
    const question = { url: `${url}${path}`, method: 'POST', headers, body: JSON.stringify(asked) } as const;
    const { status, text } = await exchange({ ...question, timeoutMs: requestTimeoutMs }).catch((cause: unknown) => {
      throw signerFault('the price signer does not answer', cause);
    });
    return { status, body: jsonIn(text) };
  };
  return {
    async attest(request) {
      return decided(await post(attestationPath, encodeAttestationRequest(request)), decodeAttestationAnswer);
    },
    async countersign(request) {
      const answer = await post(countersignaturePath, encodeCountersignatureRequest(request));
      return decided(answer, decodeCountersignatureAnswer);
    },
    async readyAddress() {
      const question = { url: `${url}/readyz`, method: 'GET', timeoutMs: readinessTimeoutMs } as const;
      const answer = await exchange(question).catch(() => null);
      return answer?.status === 200 ? readyAddressIn(jsonIn(answer.text)) : null;
    },
  };
}

/** Null for what is no JSON: no answer of a signer is. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** What a ready signer shows: its address. */
function readyAddressIn(body: unknown): Address | null {
  try {
    return getAddress(readHex('address', readFields(body, ['status', 'address']).address, 20));
  } catch (error) {
    if (error instanceof AttestationFormatError) return null;
    throw error;
  }
}

function decided<Answer extends { readonly kind: string }>(
  answer: ReceivedAnswer,
  decode: (answer: ReceivedAnswer) => Answer | AttestationFailure,
): Exclude<Answer, AttestationFailure> {
  const decoded = decodedOf(answer, decode);
  if (decoded.kind === 'failed') throw signerFault(`the price signer answered ${answer.status}`, null);
  return decoded as Exclude<Answer, AttestationFailure>;
}

function decodedOf<Answer>(answer: ReceivedAnswer, decode: (answer: ReceivedAnswer) => Answer): Answer {
  try {
    return decode(answer);
  } catch (cause) {
    if (!(cause instanceof AttestationFormatError)) throw cause;
    throw signerFault(`the price signer answered ${answer.status}`, cause);
  }
}

function signerFault(message: string, cause: unknown): Fault {
  return new Fault({ origin: 'signer', kind: 'retryable', message, cause });
}
