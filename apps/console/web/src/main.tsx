import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { batchCallsTo } from './chain/batchingNodes.ts';
import { watchLoading } from './loadFailure.ts';
import { readPageConfig } from './pageConfig.ts';
import { router } from './router.tsx';
import { SessionProvider } from './session/SessionProvider.tsx';
import { signedInAddress } from './session/sessionClient.ts';

const queries = new QueryClient({
  // The sockets report changes, and the SDK retries transient failures.
  defaultOptions: { queries: { retry: false, staleTime: 60_000, refetchOnWindowFocus: false } },
});

watchLoading();
const root = document.querySelector('#root');
const [config, first] = await Promise.all([readPageConfig(), signedInAddress()]);
if (config !== null) batchCallsTo(config.rpcUrl);
if (root !== null) {
  createRoot(root).render(
    config === null ? (
      <p role="alert">config.json is missing beside this page: the address of the service is unknown.</p>
    ) : (
      <StrictMode>
        <QueryClientProvider client={queries}>
          <SessionProvider config={config} first={first}>
            <RouterProvider router={router} />
          </SessionProvider>
        </QueryClientProvider>
      </StrictMode>
    ),
  );
}
