import {
  add,
  applyRate,
  constants,
  liquidationPriceOf,
  pricePips,
  rateBps,
  raw,
  subtract,
  tokenUnits,
  usdcUnits,
} from '@core/pricing';
import {
  createPositionDigest,
  createPositionFieldsOf,
  positionKeyOf,
  positionSeedToDecimal,
  recoverQuoteSigner,
  toCreateRequestStruct,
  vaultConstants,
  verifyQuote,
} from '@core/vault';
import { type Address, BaseError, decodeFunctionData, encodeFunctionData, type Hex, isAddress } from 'viem';
import type { ContractInfo, Market, OpeningTransaction, Quote } from '../generated/resources.ts';
import { ownerAbi } from '../generated/vaultInterface.ts';
import type { Fact } from './rateChecks.ts';
import { type SignedFields, wireNameOf } from './signedFields.ts';

/** Complete fill. */
const allBps = 10_000;

// The part of a verification that needs hashing and curves; loaded with the first one.

/** Digest, or the field by which the signature is invalid. */
export type SignatureCheck =
  | { readonly verified: true; readonly digest: Hex }
  | { readonly verified: false; readonly field: string; readonly expected: unknown };

/** Compare the signed values with the expectation, and verify the signature over all of them. */
export async function checkSignature(
  quote: Quote,
  known: { readonly account: string; readonly contractInfo: ContractInfo; readonly market?: Market | undefined },
): Promise<SignatureCheck> {
  const { account, contractInfo, market } = known;
  if (!isAddress(account, { strict: false })) return { verified: false, field: wireNameOf.user, expected: account };
  const fields = createPositionFieldsOf(quote);
  const signer = contractInfo.polygon_signer_address;
  const pinnedFields: Partial<SignedFields> & Pick<SignedFields, 'chainId' | 'vault'> = {
    user: account,
    chainId: Number(contractInfo.evm_chain_id),
    vault: contractInfo.polygon_vault_contract_address,
    ...(market !== undefined && expectedOfMarket(quote, market)),
  };
  const signature = quote.contract_signature;
  const check = await verifyQuote({ fields, signature, expected: { ...pinnedFields, signer } });
  if (check.verified) return check;
  const { field } = check;
  if (field === 'signature') return { verified: false, field: 'contract_signature', expected: 'a canonical signature' };
  if (field !== 'signer') return { verified: false, field: wireNameOf[field], expected: String(pinnedFields[field]) };
  return changedField(quote, { fields, signer });
}

function expectedOfMarket({ effective_side: side }: Quote, { venue }: Market): Partial<SignedFields> {
  return {
    ...(venue.condition_id !== null && { venueMarketId: venue.condition_id }),
    venueTokenId: BigInt(side === 'yes' ? venue.yes_token_id : venue.no_token_id),
  };
}

/**
 * Return the changed field when the signature is of another key or of other values. The opening transaction repeats the
 * values: when the signature is valid for those, the differing value was changed; otherwise the signature is wrong.
 */
async function changedField(
  quote: Quote,
  { fields, signer }: { readonly fields: SignedFields; readonly signer: Address },
): Promise<SignatureCheck> {
  const unknown = { verified: false, field: 'contract_signature', expected: `a signature of ${signer}` } as const;
  if (quote.transaction === undefined) return unknown;
  const callValues = sentValuesOf(quote.transaction.data);
  if (callValues === null) return unknown;
  const repeated = signedNames.filter((name) => name in callValues);
  const changed = repeated.find((name) => textOf(callValues[name]) !== textOf(fields[name]));
  if (changed === undefined) return unknown;
  const values = repeated.map((name) => [
    name,
    typeof fields[name] === 'bigint' ? BigInt(String(callValues[name])) : callValues[name],
  ]);
  const digest = createPositionDigest({ ...fields, ...Object.fromEntries(values) });
  const recovered = await recoverQuoteSigner({ digest, signature: quote.contract_signature });
  if (recovered?.toLowerCase() !== signer.toLowerCase()) return unknown;
  return { verified: false, field: wireNameOf[changed], expected: textOf(callValues[changed]) };
}

const signedNames = Object.keys(wireNameOf).filter((name): name is keyof SignedFields => name in wireNameOf);

/** Decode the request of a `createPosition` call; null for other bytes. */
function sentValuesOf(data: Hex): Readonly<Record<string, unknown>> | null {
  try {
    const { functionName, args } = decodeFunctionData({ abi: ownerAbi, data });
    return functionName === 'createPosition' ? { ...args[0] } : null;
  } catch (cause) {
    if (cause instanceof BaseError) return null;
    throw cause;
  }
}

const textOf = (value: unknown): string => String(value).toLowerCase();

/** Return each unsigned value that no vault accepts, with its bound, as a fact that cannot hold. */
export function outOfBoundsOf(quote: Quote): Fact[] {
  const { basis, allow_partial_fill: isPartial, min_fill_bps: minFillBps = allBps } = quote;
  const maxFee = raw(applyRate(usdcUnits(BigInt(quote.notional_usdc_units)), vaultConstants.maxVenueFeeBps, 'down'));
  const minFillFloorBps = isPartial === true ? Number(raw(constants.minFillBps)) : allBps;
  const maxSlippageBps = Number(raw(constants.maxSlippageBps));
  const maxExitBufferBps = Number(raw(vaultConstants.maxExitBufferBps));
  const bounds: readonly (readonly [field: string, isWithin: boolean, bound: string])[] = [
    [
      'expected_open_trading_fee_usdc_units',
      BigInt(quote.expected_open_trading_fee_usdc_units) <= maxFee,
      `at most ${maxFee}`,
    ],
    ['min_fill_bps', minFillBps >= minFillFloorBps && minFillBps <= allBps, `at least ${minFillFloorBps}`],
    ['min_expected_position_token_units', BigInt(quote.min_expected_position_token_units) > 0n, 'at least 1'],
    ...(basis === undefined
      ? []
      : ([
          ['basis.position_token_units', BigInt(basis.position_token_units) > 0n, 'at least 1'],
          ['basis.slippage_bps', basis.slippage_bps <= maxSlippageBps, `at most ${maxSlippageBps}`],
          ['basis.exit_buffer_bps', basis.exit_buffer_bps <= maxExitBufferBps, `at most ${maxExitBufferBps}`],
        ] as const)),
  ];
  return bounds.flatMap(([field, isWithin, bound]): Fact[] => (isWithin ? [] : [[field, bound]]));
}

/** Return what follows from the signed values by hashing: the other form of the seed, and the key. */
export function signedFactsOf(quote: Quote): Fact[] {
  const fields = createPositionFieldsOf(quote);
  return [
    ['position_seed', positionSeedToDecimal(fields.positionSeed)],
    ['on_chain_position_key', positionKeyOf(fields)],
  ];
}

/** Return the fields of an opening transaction, by their place in the quote; each allowance is one of them. */
export function transactionFactsOf({ approvals, ...call }: OpeningTransaction): Fact[] {
  const places = approvals.flatMap((approval, index) =>
    Object.entries(approval).map(([name, value]): Fact => [`transaction.approvals.${index}.${name}`, value]),
  );
  return [
    ...Object.entries(call).map(([name, value]): Fact => [`transaction.${name}`, value]),
    ['transaction.approvals.length', approvals.length],
    ...places,
  ];
}

/**
 * Build the opening transaction and its allowance from the verified values of a quote. The quote's own `transaction` is
 * not used.
 */
export function openingOf(
  quote: Quote,
  { contractInfo, basis }: { readonly contractInfo: ContractInfo; readonly basis: NonNullable<Quote['basis']> },
): OpeningTransaction {
  const fields = createPositionFieldsOf(quote);
  const atMinimum = liquidationPriceOf({
    principalUsdcUnits: subtract(fields.notionalUsdcUnits, fields.collateralUsdcUnits),
    feesUsdcUnits: usdcUnits(0n),
    liquidationFeeBps: fields.liquidationFeeBps,
    exitBufferBps: rateBps(BigInt(basis.exit_buffer_bps)),
    tokenUnits: tokenUnits(BigInt(quote.min_expected_position_token_units)),
  });
  const request = toCreateRequestStruct(fields, {
    venueFeeUsdcUnits: usdcUnits(BigInt(quote.expected_open_trading_fee_usdc_units)),
    minPositionTokenUnits: tokenUnits(BigInt(quote.min_expected_position_token_units)),
    maxLiquidationPricePips: add(atMinimum, pricePips(1n)),
    minFillBps: rateBps(BigInt(quote.min_fill_bps ?? allBps)),
  });
  const args = [request, quote.contract_signature] as const;
  const {
    evm_chain_id: chainId,
    polygon_usdc_token_address: token,
    polygon_vault_contract_address: vault,
  } = contractInfo;
  return {
    to: vault,
    data: encodeFunctionData({ abi: ownerAbi, functionName: 'createPosition', args }),
    value: '0',
    chain_id: chainId,
    approvals: [{ token, spender: vault, units: quote.total_user_amount_usdc_units }],
  };
}
