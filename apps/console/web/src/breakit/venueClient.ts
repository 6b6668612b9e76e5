/** Parameter of a scenario, as its JSON Schema says. */
export interface ParameterSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly unknown[];
}

/** What the simulator can be asked to do. */
export interface Scenario {
  readonly name: string;
  readonly summary: string;
  readonly needs_market: boolean;
  readonly params: {
    readonly properties?: Readonly<Record<string, ParameterSchema>>;
    readonly required?: readonly string[];
  };
}

export type ParameterValues = Readonly<Record<string, string | number | boolean>>;

/** A scenario as it is played. */
export interface PlayRequest {
  readonly name: string;
  readonly market: string | null;
  readonly params: ParameterValues;
}

/** The simulator refused; its text says what would be taken. */
class VenueRefusedError extends Error {
  override readonly name = 'VenueRefusedError';
}

/** Asks through the program that serves this page: no other host is talked to. */
async function ask(path: string, body?: object): Promise<unknown> {
  const response = await fetch(`./venue/${path}`, {
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const { error, message } = Object(answer) as { readonly error?: string; readonly message?: string };
  throw new VenueRefusedError(error ?? message ?? `the venue answered ${response.status}`);
}

export const venueClient = {
  scenarios: async (): Promise<readonly Scenario[]> =>
    ((await ask('scenarios')) as { readonly scenarios: readonly Scenario[] }).scenarios,
  play: async (request: PlayRequest): Promise<void> => void (await ask('scenarios', request)),
  /** Time of venue and service, in milliseconds. */
  nowMs: async (): Promise<number> => ((await ask('clock')) as { readonly now_ms: number }).now_ms,
  advance: async (seconds: number): Promise<void> => void (await ask('clock', { advance_seconds: seconds })),
};
