import { add, liquidationPriceOf, pricePips, rateBps, subtract, tokenUnits, usdcUnits } from '@core/pricing';
import {
  createPositionDigest,
  createPositionFieldsOf,
  openingTransactionOf,
  positionKeyOf,
  positionSeedToDecimal,
  recoverQuoteSigner,
  vaultAbi,
  verifyQuote,
} from '@core/vault';
import { type Address, decodeFunctionData, type Hex } from 'viem';
import type { ContractInfo, Market, Quote } from '../generated/resources.ts';
import { type SignedFields, wireNameOf } from './signedFields.ts';

// The part of verifying that needs hashing and curves; loaded when the first quote is verified.

/** The digest, or the field by which the signature does not hold. */
export type SignatureCheck =
  | { readonly verified: true; readonly digest: Hex }
  | { readonly verified: false; readonly field: string; readonly expected: unknown };

/** Holds the signed values against what is known, and the signature against all of them. */
export async function checkSignature(
  quote: Quote,
  known: { readonly account: string; readonly contractInfo: ContractInfo; readonly market?: Market | undefined },
): Promise<SignatureCheck> {
  const { account, contractInfo, market } = known;
  const fields = createPositionFieldsOf(quote);
  const signer = contractInfo.polygon_signer_address as Address;
  const expected: Partial<SignedFields> & Pick<SignedFields, 'chainId' | 'vault'> = {
    user: account as Address,
    chainId: Number(contractInfo.evm_chain_id),
    vault: contractInfo.polygon_vault_contract_address as Address,
    ...(market !== undefined && expectedOfMarket(quote, market)),
  };
  const signature = quote.contract_signature as Hex;
  const check = await verifyQuote({ fields, signature, expected: { ...expected, signer } });
  if (check.verified) return check;
  const { field } = check;
  if (field === 'signature') return { verified: false, field: 'contract_signature', expected: 'a canonical signature' };
  if (field !== 'signer') return { verified: false, field: wireNameOf[field], expected: textOf(expected[field]) };
  return changedField(quote, { fields, signer });
}

function expectedOfMarket({ effective_side: side }: Quote, { venue }: Market): Partial<SignedFields> {
  return {
    ...(venue.condition_id !== null && { venueMarketId: venue.condition_id as Hex }),
    venueTokenId: BigInt(side === 'yes' ? venue.yes_token_id : venue.no_token_id),
  };
}

/**
 * The signature is of another key or of other values. The opening transaction repeats the values: when the signature
 * holds for those, the one that differs was changed; otherwise the signature itself is wrong.
 */
async function changedField(
  quote: Quote,
  { fields, signer }: { readonly fields: SignedFields; readonly signer: Address },
): Promise<SignatureCheck> {
  const unknown = { verified: false, field: 'contract_signature', expected: `a signature of ${signer}` } as const;
  if (quote.transaction === undefined) return unknown;
  const { functionName, args } = decodeFunctionData({ abi: vaultAbi, data: quote.transaction.data as Hex });
  if (functionName !== 'createPosition') return unknown;
  const sent: Readonly<Record<string, unknown>> = { ...args[0] };
  const names = Object.keys(wireNameOf) as (keyof SignedFields)[];
  const repeated = names.filter((name) => name in sent);
  const changed = repeated.find((name) => textOf(sent[name]) !== textOf(fields[name]));
  if (changed === undefined) return unknown;
  const values = repeated.map((name) => [
    name,
    typeof fields[name] === 'bigint' ? BigInt(String(sent[name])) : sent[name],
  ]);
  const digest = createPositionDigest({ ...fields, ...Object.fromEntries(values) });
  const recovered = await recoverQuoteSigner({ digest, signature: quote.contract_signature as Hex });
  if (recovered?.toLowerCase() !== signer.toLowerCase()) return unknown;
  return { verified: false, field: wireNameOf[changed], expected: textOf(sent[changed]) };
}

const textOf = (value: unknown): string => String(value).toLowerCase();

/** What follows from the signed values by hashing: the seed's other form, the key, and the opening transaction. */
export function signedFactsOf(
  quote: Quote,
  { contractInfo }: { readonly contractInfo: ContractInfo },
): [string, unknown][] {
  const fields = createPositionFieldsOf(quote);
  const facts: [string, unknown][] = [
    ['position_seed', positionSeedToDecimal(fields.positionSeed)],
    ['on_chain_position_key', positionKeyOf(fields)],
  ];
  const { transaction, basis } = quote;
  if (transaction === undefined || basis === undefined) return facts;
  const atMinimum = liquidationPriceOf({
    principalUsdcUnits: subtract(fields.notionalUsdcUnits, fields.collateralUsdcUnits),
    feesUsdcUnits: usdcUnits(0n),
    liquidationFeeBps: fields.liquidationFeeBps,
    exitBufferBps: rateBps(BigInt(basis.exit_buffer_bps)),
    tokenUnits: tokenUnits(BigInt(quote.min_expected_position_token_units)),
  });
  const expected = openingTransactionOf(quote, {
    usdc: contractInfo.polygon_usdc_token_address as Address,
    maxLiquidationPricePips: add(atMinimum, pricePips(1n)),
  });
  const { approvals, ...call } = expected;
  const places = approvals.flatMap((approval, index) =>
    Object.entries(approval).map(([name, value]): [string, unknown] => [
      `transaction.approvals.${index}.${name}`,
      value,
    ]),
  );
  return [
    ...facts,
    ...Object.entries(call).map(([name, value]): [string, unknown] => [`transaction.${name}`, value]),
    ...places,
  ];
}
