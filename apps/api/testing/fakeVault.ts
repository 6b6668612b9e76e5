import type { VaultProblem } from '../src/terms/vaultWatch.ts';

/** A vault whose chain moves and which accepts the quote key, until a test says otherwise. */
export class FakeVault {
  current: readonly VaultProblem[] = [];

  problems(): readonly VaultProblem[] {
    return this.current;
  }

  headAgeMs(): number {
    return 0;
  }

  refreshHead(): Promise<void> {
    return Promise.resolve();
  }

  refreshSigner(): Promise<void> {
    return Promise.resolve();
  }
}
