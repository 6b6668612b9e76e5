import { Fault } from '@core/errors';
import { type ContractTerms, isPartnerFeeAllowed } from '@core/policy';
import type { Environment, PartnerStore } from '@core/store';

/**
 * A partner's own origination fee is never lowered for him, so one above the vault's cap could only be quoted wrongly.
 * @throws Fault that names every partner of this environment whose schedule cannot be honoured.
 */
export async function checkPartnerFees(
  partners: Pick<PartnerStore, 'list'>,
  contract: ContractTerms,
  environment: Environment,
): Promise<void> {
  const own = (await partners.list()).filter((partner) => partner.environment === environment);
  const names = own.filter(({ terms }) => !isPartnerFeeAllowed(terms, contract)).map(({ name }) => name);
  if (names.length > 0) {
    const message = `the vault's cap of ${contract.maxOriginationFeeBps} bps is below the origination fee of ${names.join(', ')}`;
    throw new Fault({ origin: 'configuration', kind: 'terminal', message });
  }
}
