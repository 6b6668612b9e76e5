import { getAddress } from 'viem';
import { answer, type Handler } from '../http/call.ts';
import type { Service } from '../service.ts';

/** GET /contract-info: static addresses, checksummed. */
export function getContractInfo({ config, signer }: Service): Handler<'getContractInfo'> {
  const info = {
    evm_chain_id: String(config.chainId),
    polygon_signer_address: getAddress(signer.address),
    polygon_usdc_token_address: getAddress(config.contracts.usdc),
    polygon_vault_contract_address: getAddress(config.contracts.vault),
  };
  return async () => answer(info);
}
