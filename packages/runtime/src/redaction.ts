/** Replacement of a secret. */
const mask = '***';

/** Names of fields and of query parameters whose text is a secret, by how they end. */
const secretNames = 'private_?key|secret|passw(?:or)?d|passphrase|authorization|api_?key';
const secretParameter = /(?:key|token|secret|passw(?:or)?d|auth|authorization|signature)$/i;

const urls = /\b([a-z][a-z0-9+.-]{0,15}:\/\/)([^\s"'<>\\`]+)/gi;
const authorizations = /\b(Bearer|Basic|Api-Key)(\s+)[\w.~+/=-]{8,}/gi;
/** Also inside JSON in a text, with its quotes escaped. */
const secretFields = new RegExp(`(\\\\*")(\\w*(?:${secretNames}))\\1(\\s*:\\s*)\\1(?:(?!\\1).)*\\1`, 'gi');

/**
 * The text without its secrets: credentials in URLs, values of authorization headers, fields that are named as secrets.
 * This is the one list of what never enters a log line or a message. Applying it again changes nothing.
 */
export function redactedText(text: string): string {
  return text
    .replace(urls, (_, scheme: string, rest: string) => scheme + redactedRest(rest))
    .replace(authorizations, `$1$2${mask}`)
    .replace(secretFields, `$1$2$1$3$1${mask}$1`);
}

/** Return the part of a URL after its scheme, with user, password, and keys in path and query masked. */
function redactedRest(rest: string): string {
  const [, user, host = '', path = '', query = '', fragment = ''] =
    /^(?:([^/?#]*)@)?([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/.exec(rest) ?? [];
  const segments = path.split('/');
  const masked = segments.map((segment, index) => redactedSegment(segment, segments[index - 1] ?? ''));
  return (user === undefined ? '' : `${mask}@`) + host + masked.join('/') + redactedQuery(query) + fragment;
}

function redactedQuery(query: string): string {
  return query.replaceAll(/([?&;])([^=&;]+)=([^&;]*)/g, (whole, start: string, name: string) =>
    secretParameter.test(name) ? `${start}${name}=${mask}` : whole,
  );
}

/** A sentence may continue right behind the URL: characters that no key has are left. */
function redactedSegment(segment: string, before: string): string {
  const [start = ''] = /^[\w.~+=%-]*/.exec(segment) ?? [];
  return isKey(start, before) ? mask + segment.slice(start.length) : segment;
}

const isVersion = /^v\d+$/;
const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const isPublicNumber = /^(?:\d+|0x[0-9a-f]*)$/i;

/**
 * Return whether a path segment is a provider's access key. A key follows `/v2/` and has a digit or a capital, is a
 * UUID, or is long and mixes letters and digits. Hashes, addresses, token numbers and slugs of words are none.
 */
function isKey(segment: string, before: string): boolean {
  if (isPublicNumber.test(segment) || segment.length < 16) return false;
  if (isVersion.test(before)) return /[\dA-Z]/.test(segment);
  if (isUuid.test(segment)) return true;
  const isOneWord = /^[a-z0-9]+$/i.test(segment) || /[A-Z]/.test(segment);
  return segment.length >= 24 && isOneWord && /\d/.test(segment) && /[a-z]/i.test(segment);
}

/** Depth to which causes are followed. */
const maximumDepth = 8;

/**
 * Redact an error in place, with its stack, its own fields and its causes, so that its class and identity stay.
 * Returns the same error; anything else is returned as it is.
 */
export function redactedError<Thrown>(error: Thrown, depth = 0): Thrown {
  if (!(error instanceof Error) || depth > maximumDepth) return error;
  for (const name of ['message', 'stack', ...Object.keys(error)]) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === 'string') Reflect.set(error, name, redactedText(value));
    else if (Array.isArray(value)) Reflect.set(error, name, value.map(redactedItem));
  }
  redactedError(error.cause, depth + 1);
  if (error instanceof AggregateError) for (const inner of error.errors) redactedError(inner, depth + 1);
  return error;
}

const redactedItem = (item: unknown): unknown => (typeof item === 'string' ? redactedText(item) : item);
