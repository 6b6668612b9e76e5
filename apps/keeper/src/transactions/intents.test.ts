import { pricePips, tokenUnits } from '@core/pricing';
import { decodeDomainJson, encodeDomainJson, type IntentRecord, type IntentStore } from '@core/store';
import { OrderSide, SignatureType } from '@core/vault';
import { expect, test } from 'vitest';
import { intentsOfSubject, isCall, ofOperation } from './intents.ts';
import { intentTable, type Operation, type PlanOf } from './intentTable.ts';

const address = `0x${'11'.repeat(20)}` as const;
const hash = `0x${'22'.repeat(32)}` as const;
const order = {
  salt: 5n,
  maker: address,
  signer: address,
  tokenId: 7n,
  makerAmount: 100n,
  takerAmount: 200n,
  side: OrderSide.Buy,
  signatureType: SignatureType.Erc1271,
  timestamp: 9n,
  metadata: hash,
  builder: hash,
};
const call = { kind: 'transaction', to: address, data: '0x01' } as const;
const decided = { decidedAtMs: 1 };
const authorization = { ...decided, order, orderHash: hash, orderType: 'FOK', attempt: 1 } as const;
const close = {
  ...decided,
  requestedTokenUnits: tokenUnits(5n),
  minPricePips: pricePips(6n),
  reachTokenUnits: tokenUnits(7n),
};
const post = { kind: 'order', order, orderType: 'FAK' } as const;
const plans: { readonly [Name in Operation]: PlanOf<Name> } = {
  register_outcome: { ...call, details: {} },
  authorize_open: { ...call, details: authorization },
  authorize_close: { ...call, details: { ...authorization, close } },
  authorize_unwind: {
    ...call,
    details: {
      ...authorization,
      unwind: { reason: 'depth_drain', heldTokenUnits: tokenUnits(8n), isHardExit: false, rung: null },
    },
  },
  authorize_liquidate: { kind: 'member', batch: hash, details: { ...decided, grant: { mostUnits: 9n }, attempt: 1 } },
  authorize_batch: { ...call, gas: 10n, details: decided },
  post_open: post,
  post_close: post,
  post_unwind: post,
  post_liquidate: post,
  finalize_open: { ...call, details: decided },
  finalize_close: { ...call, details: decided },
  finalize_unwind: { ...call, details: decided },
  finalize_liquidate: { ...call, details: decided },
  finalize_none: { ...call, details: decided },
  refund: { ...call, details: { ...decided, reason: 'ghost_fill' } },
  settle: { ...call, details: decided },
  defer_close: { kind: 'none', details: decided },
  fill_gap: { ...call, details: {} },
};

/** A store that holds one row, written and read as the database does it. */
function storing(row: Partial<IntentRecord>): Pick<IntentStore, 'ofSubject'> {
  const record = { id: 'int_1', subject: 's', attempt: 1, state: 'prepared', outcome: null, ...row } as IntentRecord;
  const plan = decodeDomainJson(encodeDomainJson(record.plan));
  return { ofSubject: () => Promise.resolve([{ ...record, plan }]) };
}

test.each(Object.keys(intentTable) as Operation[])('what %s keeps comes back as it was', async (operation) => {
  const plan = plans[operation];
  const [intent] = await intentsOfSubject(storing({ operation, plan }), 's');
  expect(intent).toMatchObject({ operation, plan, outcome: null });
  expect(intent !== undefined && isCall(intent)).toBe(plan.kind === 'transaction');
  expect(ofOperation(intent === undefined ? [] : [intent], operation).length).toBe(1);
});

test('an attempt without an order is a note, with the reason as its outcome', async () => {
  const row = {
    operation: 'authorize_open',
    plan: { kind: 'none', details: decided },
    outcome: { revert: 'book_empty' },
  };
  const [intent] = await intentsOfSubject(storing(row), 's');
  expect(intent).toMatchObject(row);
  expect(intent !== undefined && isCall(intent)).toBe(false);
});

test.each([
  ['of an unknown operation', { operation: 'unheard_of', plan: plans.settle }],
  ['with the plan of another operation', { operation: 'post_open', plan: plans.settle }],
  ['without what it needs to be posted', { operation: 'authorize_close', plan: plans.authorize_open }],
  ['with an outcome it cannot have', { operation: 'settle', plan: plans.settle, outcome: { refusal: null } }],
])('a row %s is not guessed at', async (_name, row) => {
  await expect(intentsOfSubject(storing(row), 's')).rejects.toThrow(Error);
});
