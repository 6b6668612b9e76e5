/** Bytes of a client up to a message after which the server answers or ends. */
export interface ClientRequest {
  readonly bytes: Buffer;
  /** Type of the last message; `startup` for the first one and for requests in its place, which have none. */
  readonly last: string;
  /** Types of all messages, in order. */
  readonly types: string;
}

/** Messages that end a request: password, query, sync, flush, terminate. */
const answered: ReadonlySet<string> = new Set(['startup', 'p', 'Q', 'S', 'H', 'X']);
/** Messages that end the rows of a COPY. */
const copyEnds: ReadonlySet<string> = new Set(['c', 'f']);
/** Codes in the place of a protocol's version, with which a client asks for encryption or to cancel a statement. */
export const startupCodes = { cancel: 80_877_102, tls: 80_877_103, gss: 80_877_104 } as const;

/** Cuts what a client sends into requests, each of which the server answers up to a defined message. */
export class ClientMessages {
  /** True while a simple query reads the rows of a COPY: their end is a request. */
  isCopying = false;
  #bytes = Buffer.alloc(0);
  #isStarted = false;
  /** Length of the whole messages at the start of the bytes. */
  #wholeLength = 0;
  #types = '';

  /** Add bytes, and return the requests that they complete. */
  add(bytes: Buffer): ClientRequest[] {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    const requests: ClientRequest[] = [];
    for (;;) {
      const lengthAt = this.#wholeLength + (this.#isStarted ? 1 : 0);
      if (this.#bytes.length < lengthAt + 4) return requests;
      const end = lengthAt + this.#bytes.readUInt32BE(lengthAt);
      if (this.#bytes.length < end) return requests;
      const last = this.#isStarted ? this.#bytes.toString('latin1', this.#wholeLength, lengthAt) : 'startup';
      // A request for encryption is refused, and the startup follows.
      this.#isStarted ||= !asksForEncryption(this.#bytes, lengthAt + 4);
      this.#types += last;
      this.#wholeLength = end;
      if (answered.has(last) || (this.isCopying && copyEnds.has(last))) {
        requests.push({ bytes: Buffer.from(this.#bytes.subarray(0, end)), last, types: this.#types });
        this.#bytes = this.#bytes.subarray(end);
        this.#wholeLength = 0;
        this.#types = '';
      }
    }
  }
}

function asksForEncryption(bytes: Buffer, codeAt: number): boolean {
  if (bytes.length < codeAt + 4) return false;
  const code = bytes.readUInt32BE(codeAt);
  return code === startupCodes.tls || code === startupCodes.gss;
}

/** Texts of statements that a client sends, with those that it has prepared under a name. */
export class StatementTexts {
  readonly #prepared = new Map<string, string>();

  /** Return the texts that a request runs or prepares. */
  of({ bytes, last }: ClientRequest): readonly string[] {
    if (last === 'startup' || last === 'p') return [];
    const texts: string[] = [];
    for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at + 1) + 1) {
      const type = bytes.toString('latin1', at, at + 1);
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      const [first = '', second = ''] = type === 'd' ? [] : bytes.toString('utf8', at + 5, end).split('\0', 2);
      if (type === 'P') this.#prepared.set(first, second);
      if (type === 'Q') texts.push(first);
      if (type === 'B') texts.push(this.#prepared.get(second) ?? '');
    }
    return texts;
  }
}
