import { type Rejection, reject } from '@core/errors';
import { isoTimeOf, type TokenWire } from '@core/wire';
import type { PartnerCaller } from './authenticate.ts';
import type { UserTokens } from './userTokens.ts';
import { parseWalletAddress } from './walletAddress.ts';

/** POST /tokens: a JWT for a wallet whose ownership the partner has verified. Codes: invalid wallet address. */
export function createToken(userTokens: Pick<UserTokens, 'issue'>) {
  return async (call: {
    readonly caller: PartnerCaller;
    readonly body: { readonly wallet_address: string };
  }): Promise<{ readonly kind: 'answer'; readonly body: TokenWire } | Rejection> => {
    const wallet = parseWalletAddress(call.body.wallet_address);
    if (wallet === null) return reject('customer_auth_invalid_wallet_address');
    const subject = { partnerId: call.caller.partner.id, walletAddress: wallet.address };
    const { token, expiresAtMs } = await userTokens.issue(subject);
    return { kind: 'answer', body: { token, expires_at: isoTimeOf(expiresAtMs) } };
  };
}
