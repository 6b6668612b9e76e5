import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { Frame } from './Frame.tsx';
import { ExplorerPage } from './pages/ExplorerPage.tsx';
import { Failure } from './parts/Boundary.tsx';

const rootRoute = createRootRoute({
  component: Frame,
  notFoundComponent: () => <p role="alert">Page not found.</p>,
});

const routeTree = rootRoute.addChildren([
  createRoute({ getParentRoute: () => rootRoute, path: '/', component: ExplorerPage }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/markets/$ticker',
    component: lazyRouteComponent(() => import('./pages/MarketPage.tsx'), 'MarketPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/portfolio',
    component: lazyRouteComponent(() => import('./pages/PortfolioPage.tsx'), 'PortfolioPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/positions/$id',
    component: lazyRouteComponent(() => import('./pages/PositionPage.tsx'), 'PositionPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/risk',
    component: lazyRouteComponent(() => import('./pages/RiskPage.tsx'), 'RiskPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/pool',
    component: lazyRouteComponent(() => import('./provide/ProvidePage.tsx'), 'ProvidePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/break-it',
    component: lazyRouteComponent(() => import('./breakit/BreakItPage.tsx'), 'BreakItPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/operate',
    component: lazyRouteComponent(() => import('./operate/OperatePage.tsx'), 'OperatePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/components',
    component: lazyRouteComponent(() => import('./components/ComponentsPage.tsx'), 'ComponentsPage'),
  }),
]);

/** Router of the pages. It uses the part of the address behind `#`, so that any web server can host them. */
export const router = createRouter({
  routeTree,
  history: createHashHistory(),
  // A page that fails leaves the navigation as it is.
  defaultErrorComponent: Failure,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
