import { type AttestationRefusal, type GrantRequest, isTransientRefusal } from '@core/attestation';
import { awaitEvent, decideGrantOrder, type GrantConsent, grantSizesOf, type OrderAction } from '@core/position';
import { raw } from '@core/pricing';
import type { Lease } from '@core/store';
import { type GrantAttestation, toGrantAttestationStruct, vaultAbi } from '@core/vault';
import type { Logger } from 'pino';
import { type Address, encodeFunctionData } from 'viem';
import type { JointConsent } from '../signers/jointConsent.ts';
import type { AskPriceSigners } from '../signers/signatureQuorum.ts';
import type { TransactionSender } from '../transactions/transactionSender.ts';
import type { ObservedPosition } from './observePosition.ts';
import type { AuthorizationResult, Authorizer } from './orderAuthorizer.ts';
import { awayDelayMs, quotedRiskOf, sendAuthorization } from './sendAuthorization.ts';

export interface GrantAuthorizerDependencies {
  readonly askPriceSigners: AskPriceSigners<GrantRequest, GrantAttestation>;
  readonly sender: Pick<TransactionSender, 'send'>;
  readonly vault: Address;
  readonly logger: Logger;
}

/**
 * Authorisation of grants: consent of the price signers and the vault's transaction. Anyone fills them from then on,
 * and the last fill ends them; one that ended unfilled is booked and authorised again by later steps.
 */
export class GrantAuthorizer implements Authorizer {
  readonly #dependencies: GrantAuthorizerDependencies;

  constructor(dependencies: GrantAuthorizerDependencies) {
    this.#dependencies = dependencies;
  }

  async authorize(current: ObservedPosition, action: OrderAction, lease: Lease): Promise<AuthorizationResult> {
    const { sender, vault, logger } = this.#dependencies;
    const { nowMs } = current.observation;
    const positionKey = current.record.positionKey;
    const { purpose, attempt } = action;
    const quotedRisk = quotedRiskOf(current, purpose);
    const answer = await this.#consentTo(grantSizesOf(action), { positionKey, purpose, quotedRisk });
    if (answer.kind === 'away') return { kind: 'wait', reason: 'price_signers_away', untilMs: nowMs + awayDelayMs };
    const decided = decideGrantOrder(action, consentOf(answer));
    if (decided.kind !== 'send') return decided;
    if (answer.kind === 'refused') return null;
    const { attestation, signatures } = answer;
    const data = encodeFunctionData({
      abi: vaultAbi,
      functionName: 'authorizeGrant',
      args: [positionKey, attestation.purpose, decided.mostUnits, toGrantAttestationStruct(attestation), signatures],
    });
    const details = {
      grant: { mostUnits: decided.mostUnits },
      attempt,
      decidedAtMs: current.chain.blockTimeMs,
    };
    const call = { kind: 'transaction', to: vault, data } as const;
    const outcome = await sendAuthorization(sender, { positionKey, action, call, details, lease });
    const markPips = raw(attestation.markPips);
    const limitPips = raw(attestation.limitPips);
    logger.info({ positionKey, purpose, attempt, markPips, limitPips, outcome: outcome.kind }, 'grant authorised');
    // A step before a fill or the end of the grant would observe nothing new.
    return outcome.kind === 'included' ? awaitEvent('order_alive', nowMs) : { kind: 'not_authorized', outcome };
  }

  /** Ask for the first of the sizes that the book takes. */
  async #consentTo(
    [mostUnits = 0n, ...smaller]: readonly bigint[],
    request: Omit<GrantRequest, 'mostUnits'>,
  ): ReturnType<GrantAuthorizerDependencies['askPriceSigners']> {
    const answer = await this.#dependencies.askPriceSigners({ ...request, mostUnits });
    const isThin = answer.kind === 'refused' && answer.code === 'book_too_thin';
    return isThin && smaller.length > 0 ? this.#consentTo(smaller, request) : answer;
  }
}

function consentOf(answer: JointConsent<GrantAttestation> | AttestationRefusal): GrantConsent {
  if (answer.kind === 'refused') {
    return { kind: 'refused', code: answer.code, isTransient: isTransientRefusal(answer.code) };
  }
  const { limitPips, venueFeeBps, mostUnits } = answer.attestation;
  return { kind: 'given', mostUnits, limitPricePips: limitPips, venueFeeBps: raw(venueFeeBps) };
}
