import { loadTransactions } from '@core/sdk';
import { useEffect } from 'react';

/** Load the code that signs, sends and follows a transaction. */
export async function loadWallet() {
  await Promise.all([import('./localSigner.ts'), loadTransactions()]);
  const { sdkWalletOf } = await import('./sdkWallet.ts');
  return { sdkWalletOf };
}

/** Load that code when a component with a transaction is shown: another version may lack the file later. */
export function useLoadedWallet(): void {
  useEffect(() => {
    // A failure is shown above the page.
    void loadWallet().catch(() => undefined);
  }, []);
}
