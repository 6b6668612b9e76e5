import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readPageConfig } from './pageConfig.ts';
import { router } from './router.tsx';
import { SessionProvider } from './session/SessionProvider.tsx';
import { signedInAddress } from './session/sessionClient.ts';

const queries = new QueryClient({
  // The sockets say what changes, and the client of the service repeats what a repetition may heal.
  defaultOptions: { queries: { retry: false, staleTime: 60_000, refetchOnWindowFocus: false } },
});

const place = document.querySelector('#root');
const [config, first] = await Promise.all([readPageConfig(), signedInAddress()]);
if (place !== null) {
  createRoot(place).render(
    config === null ? (
      <p role="alert">Beside this page there is no config.json, so that it does not know its service.</p>
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
