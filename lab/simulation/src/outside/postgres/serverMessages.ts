/** A whole message of the server. */
export interface ServerMessage {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Cuts what the server sends into messages. */
export class ServerMessages {
  #rest = Buffer.alloc(0);

  /** Add bytes, and return the messages that they complete. */
  add(bytes: Buffer): ServerMessage[] {
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const messages: ServerMessage[] = [];
    while (rest.length >= 5) {
      const length = rest.readUInt32BE(1) + 1;
      if (rest.length < length) break;
      messages.push({ type: rest.toString('latin1', 0, 1), bytes: rest.subarray(0, length) });
      rest = rest.subarray(length);
    }
    this.#rest = Buffer.from(rest);
    return messages;
  }
}

/** Return a message of a type and its body. */
export function messageOf(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Return the columns of a row as texts; null for NULL. */
export function columnsOf({ bytes }: ServerMessage): readonly (string | null)[] {
  const columns: (string | null)[] = [];
  let at = 7;
  for (let count = bytes.readUInt16BE(5); count > 0; count -= 1) {
    const length = bytes.readInt32BE(at);
    at += 4;
    columns.push(length < 0 ? null : bytes.toString('utf8', at, at + length));
    at += Math.max(0, length);
  }
  return columns;
}

/** Code and text of an error, as the server would have reported it. */
export interface ServerError {
  readonly code: string;
  readonly message: string;
}

/** Return an error with another code and text in place of the ones with which the server reports it. */
export function withError({ type, bytes }: ServerMessage, from: string, to: ServerError): ServerMessage {
  const fields = bytes.toString('latin1', 5).split('\0');
  if (type !== 'E' || !fields.includes(`C${from}`)) return { type, bytes };
  const changed = fields.map((field) => {
    if (field.startsWith('C')) return `C${to.code}`;
    return field.startsWith('M') ? `M${to.message}` : field;
  });
  return { type, bytes: messageOf('E', Buffer.from(changed.join('\0'), 'latin1')) };
}

/** Return the types of messages in order, runs of rows as one: it depends on no number that the server chose. */
export function shownTypesOf(messages: readonly ServerMessage[]): string {
  const types = messages.map(({ type }) => type).join('');
  return types.replaceAll(/D{2,}/g, (rows) => `D${rows.length}`);
}
