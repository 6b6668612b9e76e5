import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@core/runtime';
import { SigningKey } from '@core/vault';
import { type Hex, hexToBigInt, hexToBytes, numberToHex } from 'viem';

/** Answer of a holder. */
export interface HolderAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Request as a holder receives it. */
export interface HolderRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Holder on this machine that speaks the protocol of a real one. */
export interface LocalHolder {
  readonly url: string;
  /** Requests in their order. */
  readonly requests: readonly HolderRequest[];
  /** Answers of the next requests instead of the holder's own; `hang` never answers. */
  readonly faults: (HolderAnswer | 'hang')[];
  /** Key that signs and is shown. */
  key: SigningKey;
  /** True to answer with the other valid form of each signature, the one with a high s. */
  hasHighS: boolean;
  close(): Promise<void>;
}

const groupOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Start a holder that answers as `answer` says. */
export async function startHolder(
  privateKey: Hex,
  answer: (request: HolderRequest, holder: LocalHolder) => HolderAnswer,
): Promise<LocalHolder> {
  const requests: HolderRequest[] = [];
  const faults: LocalHolder['faults'] = [];
  const server = createServer((incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    const reply = (body: string): void => {
      const request = { method, path: url, headers, body };
      requests.push(request);
      const fault = faults.shift();
      if (fault === 'hang') return;
      const { status, headers: ownHeaders, body: answered } = fault ?? answer(request, holder);
      response.writeHead(status, ownHeaders).end(answered);
    };
    text(incoming).then(reply, () => response.destroy());
  });
  const { url, close } = await listen(server, { port: 0 });
  const holder: LocalHolder = {
    url,
    requests,
    faults,
    key: new SigningKey(privateKey),
    hasHighS: false,
    close: () => {
      server.closeAllConnections();
      return close();
    },
  };
  return holder;
}

/** Sign a hash and return r and s, s in the half that the holder chooses. */
export function numbersSignedBy(
  { key, hasHighS }: LocalHolder,
  hash: Uint8Array,
): { readonly r: bigint; readonly s: bigint } {
  const signature = key.signHash(hash);
  const s = hexToBigInt(`0x${signature.slice(66, 130)}`);
  return { r: hexToBigInt(signature.slice(0, 66) as Hex), s: hasHighS ? groupOrder - s : s };
}

/** Return the DER of a signature, as key management services answer it. */
export function derOf({ r, s }: { readonly r: bigint; readonly s: bigint }): Buffer {
  const content = Buffer.concat([derInteger(r), derInteger(s)]);
  return Buffer.concat([Buffer.from([0x30, content.length]), content]);
}

function derInteger(value: bigint): Buffer {
  const digits = hexToBytes(numberToHex(value));
  const bytes = (digits[0] ?? 0) >= 0x80 ? [0, ...digits] : [...digits];
  return Buffer.from([0x02, bytes.length, ...bytes]);
}
