import recorded from './examples.json' with { type: 'json' };

/** One call of a route and its answer, as a test recorded them from the running service. */
export interface RouteExample {
  /** Values of the path parameters, in the order of the path. */
  readonly params: readonly string[];
  /** Null where nothing was sent. */
  readonly request: unknown;
  readonly response: unknown;
}

const examples: Readonly<Record<string, RouteExample>> = recorded;

/** The example of a route. @throws Error when none was recorded. */
export function exampleOf(routeName: string): RouteExample {
  const example = examples[routeName];
  if (example === undefined) throw new Error(`no example of ${routeName} was recorded`);
  return example;
}
