import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type Address, getAddress, type Hex, isHex } from 'viem';

/** Notation of one kind of setting. */
export interface Codec<Value> {
  /** End of the sentence "NAME must be …". */
  readonly expects: string;
  /** Return the value of the text; undefined when it has none. */
  read(text: string): Value | undefined;
}

/** Text that matches a pattern as a whole. */
export function matching(pattern: RegExp, expects: string): Codec<string> {
  return { expects, read: (text) => (pattern.exec(text)?.[0] === text ? text : undefined) };
}

/** Text of a minimum length; one character by default. */
export function textOf(minimumLength = 1): Codec<string> {
  const expects = minimumLength === 1 ? 'some text' : `${minimumLength} characters or more`;
  return { expects, read: (text) => (text.length >= minimumLength ? text : undefined) };
}

/** A whole number in decimal digits, both bounds included. */
export function wholeNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER): Codec<number> {
  const expects =
    maximum === Number.MAX_SAFE_INTEGER
      ? `a whole number of ${minimum} or more`
      : `a whole number from ${minimum} to ${maximum}`;
  return {
    expects,
    read: (text) => {
      const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
      return value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

/** Ports that the Fetch standard blocks: no program reaches one with `fetch`, and no browser does. */
const refusedPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1_719, 1_720, 1_723, 2_049, 3_659, 4_045, 4_190, 5_060,
  5_061, 6_000, 6_566, 6_665, 6_666, 6_667, 6_668, 6_669, 6_679, 6_697, 10_080,
]);

/** Return true for a port that `fetch` and browsers refuse. */
export const isRefusedByFetch = (number: number): boolean => refusedPorts.has(number);

const anyPort = wholeNumber(0, 65_535);
/** A TCP port that `fetch` takes; 0 takes a free one. */
export const port: Codec<number> = {
  expects: `${anyPort.expects} that fetch does not refuse (6000, 6665 to 6669 and others are refused)`,
  read: (text) => {
    const number = anyPort.read(text);
    return number === undefined || isRefusedByFetch(number) ? undefined : number;
  },
};

/** Address of a network interface of this machine; 0.0.0.0 or :: for all of them. */
export const interfaceAddress: Codec<string> = {
  expects: 'an IP address of this machine, such as 127.0.0.1, 0.0.0.0 or ::1',
  read: (text) => (isIP(text) === 0 ? undefined : text),
};

/** Interface that programs listen on when none is set: no other machine reaches it. */
export const loopbackAddress = '127.0.0.1';

/** The number of a block. */
export const blockNumber: Codec<bigint> = {
  expects: 'the number of a block in decimal digits',
  read: (text) => (/^\d{1,20}$/.test(text) ? BigInt(text) : undefined),
};

export const flag: Codec<boolean> = {
  expects: 'true or false',
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
};

export function oneOf<const Value extends string>(values: readonly Value[]): Codec<Value> {
  return {
    expects: values.length === 1 ? `${values[0]}` : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`,
    read: (text) => values.find((value) => value === text),
  };
}

function urlWith(protocols: readonly string[], example: string): Codec<string> {
  return {
    expects: `an address like ${example}`,
    read: (text) => (protocols.includes(URL.parse(text)?.protocol ?? '') ? text : undefined),
  };
}

export const httpUrl: Codec<string> = urlWith(['http:', 'https:'], 'http://127.0.0.1:8545');
export const socketUrl: Codec<string> = urlWith(['ws:', 'wss:'], 'ws://127.0.0.1:8090/ws/market');
export const databaseUrl: Codec<string> = urlWith(
  ['postgres:', 'postgresql:'],
  'postgres://user:password@127.0.0.1:5432/database',
);

export const redisUrl: Codec<string> = urlWith(['redis:', 'rediss:'], 'redis://127.0.0.1:6379');

/** An EVM address in any casing; read with its checksum. */
export const address: Codec<Address> = {
  expects: 'an address: 0x and 40 hexadecimal digits',
  read: (text) => (/^0x[0-9a-fA-F]{40}$/.test(text) ? getAddress(text) : undefined),
};

/** A secp256k1 private key. */
export const privateKey: Codec<Hex> = {
  expects: 'a private key: 0x and 64 hexadecimal digits',
  read: (text) => (isHex(text) && text.length === 66 ? text : undefined),
};

/** Values with commas between them; empty parts and blanks around a part are dropped. */
export function listOf<Value>(codec: Codec<Value>, minimumCount = 0): Codec<readonly Value[]> {
  return {
    expects: `a list with commas between, each ${codec.expects}`,
    read: (text) => {
      const parts = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
      const values = parts.map((part) => codec.read(part)).filter((value) => value !== undefined);
      return values.length === parts.length && values.length >= minimumCount ? values : undefined;
    },
  };
}

export const json: Codec<unknown> = {
  expects: 'JSON',
  read: (text) => {
    try {
      return JSON.parse(text);
    } catch (cause) {
      if (cause instanceof SyntaxError) return undefined;
      throw cause;
    }
  },
};

/** File that contains the value, blanks around it dropped: a secret in a file appears in no list of processes. */
export function fileOf<Value>(codec: Codec<Value>): Codec<Value> {
  return {
    expects: `the path of a readable file that holds ${codec.expects}`,
    read: (path) => {
      const text = textOfFile(path);
      return text === null ? undefined : codec.read(text.trim());
    },
  };
}

/** Null when the file cannot be read. */
function textOfFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) return null;
    throw cause;
  }
}

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];
export const logLevel: Codec<LogLevel> = oneOf(logLevels);
