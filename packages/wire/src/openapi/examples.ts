import recorded from './examples.json' with { type: 'json' };

/** Request and response of a route, as a test recorded them from the running service. */
export interface RouteExample {
  /** Values of the path parameters, in the order of the path. */
  readonly params: readonly string[];
  /** Body of the request; null without one. */
  readonly request: unknown;
  readonly response: unknown;
}

const examples: Readonly<Record<string, RouteExample>> = recorded;

/**
 * Return the example of a route.
 *
 * @throws Error when none was recorded.
 */
export function exampleOf(routeName: string): RouteExample {
  const example = examples[routeName];
  if (example === undefined) throw new Error(`no example of ${routeName} was recorded`);
  return example;
}
