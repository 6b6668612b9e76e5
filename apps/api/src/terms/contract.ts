import { Fault } from '@core/errors';
import { type ContractTerms, isPartnerFeeAllowed } from '@core/policy';
import { rateBps } from '@core/pricing';
import type { Environment, PartnerStore } from '@core/store';
import { vaultAbi } from '@core/vault';
import { type Address, getAddress, type PublicClient } from 'viem';
import { answer, type Handler } from '../http/call.ts';
import { type OnPoison, soundOnesOf } from '../http/soundOnes.ts';

/**
 * Read the terms that the vault allows in a quote. They are constants of the contract, so one reading lasts as long as
 * the process.
 * @throws Fault when the chain does not answer or has no such vault.
 */
export async function readContractTerms(deployment: {
  readonly client: PublicClient;
  readonly vault: Address;
}): Promise<ContractTerms> {
  const { client, vault } = deployment;
  try {
    const maximumFeeBps = await client.readContract({
      address: vault,
      abi: vaultAbi,
      functionName: 'maxOriginationFeeBps',
    });
    return { maxOriginationFeeBps: rateBps(maximumFeeBps) };
  } catch (cause) {
    throw new Fault({ origin: 'chain', kind: 'retryable', message: "the vault's terms cannot be read", cause });
  }
}

/**
 * Check the fees of every partner whose terms can be read; the others are reported and can have no quote.
 * A partner's own origination fee is never lowered, so one above the vault's cap could only be quoted wrongly.
 * @throws Fault that names every partner of this environment whose schedule cannot be honoured.
 */
export async function checkPartnerFees(
  partners: Pick<PartnerStore, 'list'>,
  { contract, environment }: { readonly contract: ContractTerms; readonly environment: Environment },
  onPoison: OnPoison,
): Promise<void> {
  const own = (await partners.list()).filter((partner) => partner.environment === environment);
  const checks = soundOnesOf(
    own,
    ({ name, terms }) => {
      if (terms === null) throw new TypeError(`the terms of ${name} cannot be read`);
      return { name, isAllowed: isPartnerFeeAllowed(terms, contract) };
    },
    onPoison,
  );
  const names = checks.filter(({ isAllowed }) => !isAllowed).map(({ name }) => name);
  if (names.length > 0) {
    const message = `the vault's cap of ${contract.maxOriginationFeeBps} bps is below the origination fee of ${names.join(', ')}`;
    throw new Fault({ origin: 'configuration', kind: 'terminal', message });
  }
}

/** GET /contract-info: static addresses, checksummed. */
export function getContractInfo(deployment: {
  readonly chainId: number;
  readonly vault: Address;
  readonly usdc: Address;
  readonly signer: Address;
}): Handler<'getContractInfo'> {
  const info = {
    evm_chain_id: String(deployment.chainId),
    polygon_signer_address: getAddress(deployment.signer),
    polygon_usdc_token_address: getAddress(deployment.usdc),
    polygon_vault_contract_address: getAddress(deployment.vault),
  };
  return async () => answer(info);
}
