import { InputError } from '../errors/inputError.ts';
import { LevError } from '../errors/levError.ts';
import type { ContractInfo } from '../generated/resources.ts';

/**
 * Chain and addresses that a program fixes in its own code or configuration. Quotes are verified against contract info,
 * which comes from the same service. Without pins, a compromised service can name its own vault and signer, and each of
 * its quotes verifies. With pins the client signs only for these contracts.
 */
export interface PinnedContracts {
  readonly chainId: number;
  readonly vault: string;
  readonly usdc: string;
  /** Address of the quote signer. A key rotation requires a new pin. */
  readonly signer: string;
}

/** Error of contracts that differ from the client's pins, or are no addresses. */
export class ContractMismatchError extends LevError {
  override readonly name = 'ContractMismatchError';
  /** Field of contract info. */
  readonly field: keyof ContractInfo;
  readonly shown: unknown;
  readonly expected: string;

  constructor(field: keyof ContractInfo, shown: unknown, expected: string) {
    super(
      'contract_mismatch',
      `the service shows ${String(shown)} as ${field}, expected ${expected}; nothing was signed: check \`baseUrl\` and \`pinned\``,
    );
    this.field = field;
    this.shown = shown;
    this.expected = expected;
  }
}

const addressText = /^0x[0-9a-f]{40}$/i;
const chainIdText = /^[1-9]\d{0,15}$/;

/** Return true for an address of 20 bytes in hexadecimal, of any case. */
export const isAddress = (value: unknown): value is `0x${string}` =>
  typeof value === 'string' && addressText.test(value);

const pinOf = {
  evm_chain_id: 'chainId',
  polygon_vault_contract_address: 'vault',
  polygon_usdc_token_address: 'usdc',
  polygon_signer_address: 'signer',
} as const satisfies Record<keyof ContractInfo, keyof PinnedContracts>;

const fields = Object.keys(pinOf).filter((name): name is keyof typeof pinOf => name in pinOf);
const formOf = (field: keyof ContractInfo): RegExp => (field === 'evm_chain_id' ? chainIdText : addressText);

/**
 * Check the pins.
 *
 * @throws InputError for an invalid chain or address.
 */
export function checkedPins(pinned: PinnedContracts): PinnedContracts {
  for (const field of fields) {
    const pin: unknown = pinned[pinOf[field]];
    if (formOf(field).test(String(pin))) continue;
    const form = field === 'evm_chain_id' ? 'a chain ID such as 137' : 'an address of 20 bytes';
    throw new InputError(`pinned.${pinOf[field]}`, pin, `\`pinned.${pinOf[field]}\` must be ${form}`);
  }
  return pinned;
}

/**
 * Return contract info whose fields are well-formed and equal the pins.
 *
 * @throws ContractMismatchError.
 */
export function checkedContractInfo(info: ContractInfo, pinned: PinnedContracts | undefined): ContractInfo {
  for (const field of fields) {
    const value: unknown = Object(info)[field];
    const pin = pinned?.[pinOf[field]];
    if (typeof value !== 'string' || !formOf(field).test(value)) {
      throw new ContractMismatchError(field, value, field === 'evm_chain_id' ? 'a chain ID' : 'an address');
    }
    if (pin !== undefined && value.toLowerCase() !== String(pin).toLowerCase()) {
      throw new ContractMismatchError(field, value, String(pin));
    }
  }
  return info;
}
