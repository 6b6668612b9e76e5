import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { Frame } from './Frame.tsx';
import { ExplorerPage } from './pages/ExplorerPage.tsx';
import { MarketPage } from './pages/MarketPage.tsx';
import { PortfolioPage } from './pages/PortfolioPage.tsx';
import { PositionPage } from './pages/PositionPage.tsx';

const rootRoute = createRootRoute({
  component: Frame,
  notFoundComponent: () => <p role="alert">There is no such page.</p>,
});

const routeTree = rootRoute.addChildren([
  createRoute({ getParentRoute: () => rootRoute, path: '/', component: ExplorerPage }),
  createRoute({ getParentRoute: () => rootRoute, path: '/markets/$ticker', component: MarketPage }),
  createRoute({ getParentRoute: () => rootRoute, path: '/portfolio', component: PortfolioPage }),
  createRoute({ getParentRoute: () => rootRoute, path: '/positions/$id', component: PositionPage }),
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
]);

/** Pages by the part of the address behind `#`: any web server can host them. */
export const router = createRouter({ routeTree, history: createHashHistory() });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
