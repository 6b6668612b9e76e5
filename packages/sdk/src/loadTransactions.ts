/**
 * Load the code that checks, sends and follows transactions, which is loaded when it is first needed otherwise. A page
 * calls this before it offers a transaction: the files of its version may be gone later.
 */
export async function loadTransactions(): Promise<void> {
  await Promise.all([
    import('./chain/carryOut.ts'),
    import('./chain/vaultCalls.ts'),
    import('./positions/followPosition.ts'),
    import('./quotes/checkQuote.ts'),
    import('./quotes/preflight.ts'),
  ]);
}
