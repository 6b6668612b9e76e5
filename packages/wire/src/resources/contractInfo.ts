import { z } from 'zod';
import { evmAddress } from '../codecs/formats.ts';

/** Contract info (specification, Resources, Contract info). Static; may be cached. */
export const contractInfo = z
  .object({
    evm_chain_id: z.string().regex(/^[1-9]\d*$/),
    polygon_signer_address: evmAddress,
    polygon_usdc_token_address: evmAddress,
    polygon_vault_contract_address: evmAddress,
  })
  .meta({ id: 'ContractInfo' });

export type ContractInfoWire = z.input<typeof contractInfo>;
