import { raw } from '@core/pricing';
import {
  accountAddressOf,
  liquidityPoolAbi,
  orderRulesAbi,
  readTokenUnits,
  testUsdcAbi,
  vaultAbi,
  venueExchangeAbi,
} from '@core/vault';
import { type Address, erc20Abi, type Hex } from 'viem';
import type { LocalDeployment } from './localDeployment.ts';
import type { LocalToken } from './localMarket.ts';
import { LocalRpc } from './localRpc.ts';

/** A position as it was created. */
export interface LocalPosition {
  readonly positionKey: Hex;
  readonly account: Address;
  readonly token: LocalToken;
}

/** Reads balances and positions of a local deployment. */
export class LocalView {
  readonly rpc: LocalRpc;
  readonly deployment: LocalDeployment;

  constructor(parameters: { readonly rpcUrl: string; readonly deployment: LocalDeployment }) {
    this.deployment = parameters.deployment;
    this.rpc = new LocalRpc(parameters.rpcUrl, [
      ...vaultAbi,
      ...orderRulesAbi,
      ...liquidityPoolAbi,
      ...venueExchangeAbi,
      ...testUsdcAbi,
    ]);
  }

  accountOf(positionKey: Hex): Address {
    const { vault, accountImplementation } = this.deployment.contracts;
    return accountAddressOf({ vault, accountImplementation, positionKey });
  }

  async usdcOf(owner: Address): Promise<bigint> {
    const { usdc } = this.deployment.contracts;
    return this.rpc.client.readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [owner] });
  }

  async tokensOf(owner: Address, token: LocalToken): Promise<bigint> {
    const { contracts } = this.deployment;
    return raw(await readTokenUnits(this.rpc.client, { contracts, owner, tokenId: token.tokenId }));
  }

  async positionOf(position: LocalPosition) {
    return this.rpc.client.readContract({
      address: this.deployment.contracts.vault,
      abi: vaultAbi,
      functionName: 'positionOf',
      args: [position.positionKey],
    });
  }
}
