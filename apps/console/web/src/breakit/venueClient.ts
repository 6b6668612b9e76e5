/** Parameter of a scenario, from its JSON Schema. */
export interface ParameterSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly unknown[];
}

/** Scenario that the simulator offers. */
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

/** Request to play a scenario. */
export interface PlayRequest {
  readonly name: string;
  readonly market: string | null;
  readonly params: ParameterValues;
}

/** Error of a request that the simulator rejects; its text names the accepted values. */
class VenueRefusedError extends Error {
  override readonly name = 'VenueRefusedError';
}

/** Send a request through the server of this page; no other host is contacted. */
async function send(path: string, body?: object): Promise<unknown> {
  const response = await fetch(`./venue/${path}`, {
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const { error, message }: { readonly error?: unknown; readonly message?: unknown } = Object(answer);
  throw new VenueRefusedError(String(error ?? message ?? `the venue answered ${response.status}`));
}

function isScenario(value: unknown): value is Scenario {
  const {
    name,
    summary,
    needs_market: needsMarket,
    params,
  }: { readonly [Key in keyof Scenario]?: unknown } = Object(value);
  const areTexts = typeof name === 'string' && typeof summary === 'string';
  return areTexts && typeof needsMarket === 'boolean' && typeof params === 'object' && params !== null;
}

async function readScenarios(): Promise<readonly Scenario[]> {
  const scenarios: unknown = Object(await send('scenarios')).scenarios;
  return Array.isArray(scenarios) ? scenarios.filter(isScenario) : [];
}

export const venueClient = {
  scenarios: readScenarios,
  play: async (request: PlayRequest): Promise<void> => void (await send('scenarios', request)),
  /** Return the time of venue and service, in epoch milliseconds. */
  nowMs: async (): Promise<number> => Number(Object(await send('clock')).now_ms),
  advance: async (seconds: number): Promise<void> => void (await send('clock', { advance_seconds: seconds })),
};
