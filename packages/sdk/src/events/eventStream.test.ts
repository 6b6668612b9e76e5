import { expect, test } from 'vitest';
import { scriptedSockets } from '../../testing/scriptedSockets.ts';
import { Lev, NetworkError, type Surroundings, type Token } from '../index.ts';

const token = { token: 'token', expires_at: '9999-01-01T00:00:00Z' } as Token;

/** Build a user's stream whose source of tokens fails in the listed ways, one after the other, before it gives one. */
function streamWith(failures: readonly (() => Promise<never>)[], signal?: AbortSignal) {
  const rest = [...failures];
  const pauses: number[] = [];
  const reports: unknown[] = [];
  const surroundings: Partial<Surroundings> = {
    WebSocket: scriptedSockets([{ id: 'evt_1' }]).WebSocket,
    sleep: async (milliseconds) => void pauses.push(milliseconds),
    deadline: () => AbortSignal.timeout(20),
    random: () => 0,
    report: (failure) => reports.push(failure),
  };
  const source = (): Promise<Token> => rest.shift()?.() ?? Promise.resolve(token);
  const user = new Lev({ baseUrl: 'http://service.test', surroundings }).asUser(source);
  return { stream: user.events.stream({ signal }), pauses, reports };
}

/** Read the types of a stream until its first event. */
async function typesOf(stream: AsyncIterable<{ readonly type: string }>): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const { type } of stream) {
    types.push(type);
    if (type === 'position.updated') break;
  }
  return types;
}

const away = async (): Promise<never> => {
  throw new NetworkError('POST /tokens was not answered');
};
const ownFailure = new TypeError('fetch failed');
const failing = async (): Promise<never> => {
  throw ownFailure;
};
const hanging = (): Promise<never> => new Promise<never>(() => undefined);

test('a source of tokens that fails for now → the stream waits and connects later', async () => {
  const { stream, pauses, reports } = streamWith([away, failing, hanging]);
  expect(await typesOf(stream)).toEqual(['snapshot', 'position.updated']);
  expect(pauses).toEqual([250, 250, 250]);
  expect(reports).toEqual([ownFailure]);
});

test('a source of tokens that gives none → the stream ends with a typed error', async () => {
  const { stream } = streamWith([async () => undefined as never]);
  await expect(typesOf(stream)).rejects.toMatchObject({ code: 'invalid_input', field: 'asUser' });
});

test('a signal while a token is awaited → the stream ends', async () => {
  const { stream } = streamWith([hanging], AbortSignal.abort());
  expect(await typesOf(stream)).toEqual([]);
  const end = new AbortController();
  const ended = async (): Promise<never> => {
    end.abort();
    return hanging();
  };
  expect(await typesOf(streamWith([ended], end.signal).stream)).toEqual([]);
});
