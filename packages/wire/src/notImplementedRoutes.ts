import type { RouteName } from './routes.ts';

/** Routes that answer 501 `not_implemented` until their handler is built. The list and the code go together. */
export const notImplementedRoutes: ReadonlySet<RouteName> = new Set<RouteName>(['createSampleEvents']);
