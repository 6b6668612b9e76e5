import type { LimitState, LimitStore } from '@core/store';
import type { Identity } from '../auth/authenticate.ts';
import type { CallerDirectory } from '../auth/callerDirectory.ts';
import { addressChargeOf, bucketOf, failedCredentialChargesOf } from './rateLimit.ts';

/** A caller, or none, or the empty bucket that keeps the credential from being verified. */
export type Recognised =
  | { readonly kind: 'recognised'; readonly identity: Identity }
  | { readonly kind: 'throttled'; readonly state: LimitState };

/**
 * Identify the caller. A credential that was accepted before is only checked for what may have changed. A new one is
 * verified unless its address has sent too many that were not accepted: those are counted apart from requests without
 * any credential. So strangers behind an address do not lock out a new user there, and guessing stays cheap for the
 * service.
 */
export async function recognise(
  { callers, limits }: { readonly callers: CallerDirectory; readonly limits: LimitStore },
  caller: {
    readonly authorization: string | undefined;
    /** Read for strangers only: behind proxies it takes some work. */
    readonly address: () => string;
  },
): Promise<Recognised> {
  const { authorization } = caller;
  const cached = callers.peek(authorization);
  if (cached !== null) return { kind: 'recognised', identity: cached };
  if (callers.isKnown(authorization)) return { kind: 'recognised', identity: await callers.identify(authorization) };
  const address = caller.address();
  const failed = failedCredentialChargesOf(address);
  const isToken = authorization !== undefined && /^bearer /i.test(authorization);
  const guard = authorization === undefined ? addressChargeOf(address) : isToken ? failed.token : failed.key;
  const refusal = limits.refusalOf(bucketOf(guard), guard.subject);
  if (refusal !== null) return { kind: 'throttled', state: refusal };
  const identity = await callers.identify(authorization);
  if (identity.kind === 'none' && authorization !== undefined) {
    const charges = isToken ? [failed.token, failed.key] : [failed.key];
    await Promise.all(charges.map((charge) => limits.consume(bucketOf(charge), charge.subject)));
  }
  return { kind: 'recognised', identity };
}
