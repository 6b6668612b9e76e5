/** Files that carry out the steps, printed beside them. */
export const codePlaces = {
  contractInfo: 'apps/api/src/terms/contract.ts',
  listMarkets: 'apps/api/src/markets/listMarkets.ts',
  createDraft: 'apps/api/src/quotes/draftQuotes.ts',
  promoteDraft: 'apps/api/src/quotes/draftQuotes.ts',
  verifyQuote: 'packages/vault/src/quote/verifyQuote.ts',
  vault: 'contracts/src/Vault.sol',
  keeperPositions: 'apps/keeper/src/positions',
  keeperClose: 'packages/position/src/decide/decideOrder.ts',
  liquidationWatch: 'apps/keeper/src/liquidation/debtWatch.ts',
  unwindDecision: 'packages/policy/src/unwind/decideUnwind.ts',
  unwindReason: 'packages/policy/src/unwind/decideUnwindReason.ts',
  hardExit: 'packages/policy/src/market/hardExit.ts',
  priceScenarios: 'apps/venue-sim/src/scenario/bookScenarios.ts',
  resolution: 'apps/venue-sim/src/market/resolutionSteps.ts',
  replay: 'apps/venue-sim/src/replay/replayDraft.ts',
  venueClock: 'apps/venue-sim/src/http/controlRoutes.ts',
  reconciliation: 'apps/devnet/src/demo/reconciliation/reconciliation.ts',
} as const;

export type CodePlace = (typeof codePlaces)[keyof typeof codePlaces];
