import { type Address, getCreate2Address, type Hex } from 'viem';

/**
 * Return the address of a position's account, also before it exists: an ERC-1167 clone of the account implementation,
 * deployed by the vault with CREATE2. The position key is both salt and immutable argument of the clone.
 *
 * The creation code is that of a minimal proxy followed by the argument: ten bytes return the runtime (45 bytes of
 * proxy and 32 of key), then the proxy itself.
 */
export function accountAddressOf(parameters: {
  readonly vault: Address;
  readonly accountImplementation: Address;
  readonly positionKey: Hex;
}): Address {
  const { vault, accountImplementation, positionKey } = parameters;
  const runtimeByteLength = (0x2d + 32).toString(16).padStart(4, '0');
  const bytecode: Hex = `0x61${runtimeByteLength}3d81600a3d39f3363d3d373d3d3d363d73${accountImplementation
    .slice(2)
    .toLowerCase()}5af43d82803e903d91602b57fd5bf3${positionKey.slice(2)}`;
  return getCreate2Address({ from: vault, salt: positionKey, bytecode });
}
