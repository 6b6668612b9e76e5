import { reject } from '@core/errors';
import { parseWalletAddress } from '../auth/walletAddress.ts';
import { answer, type Handler } from '../http/call.ts';
import { isoTimeOf } from '../present/isoTime.ts';
import type { Service } from '../service.ts';

/** POST /tokens: a JWT for a wallet whose ownership the partner has verified. Codes: invalid wallet address. */
export function createToken(service: Service): Handler<'createToken'> {
  return async ({ caller, body }) => {
    const wallet = parseWalletAddress(body.wallet_address);
    if (wallet === null) return reject('customer_auth_invalid_wallet_address');
    const issued = await service.userTokens.issue({ partnerId: caller.partner.id, walletAddress: wallet.address });
    return answer({ token: issued.token, expires_at: isoTimeOf(issued.expiresAtMs) });
  };
}
