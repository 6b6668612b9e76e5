import { leverageBps, rateBps, raw, usdcUnits } from '@core/pricing';
import { type CreatePositionFields, createPositionTag, QuoteSigner, SigningKey } from '@core/vault';
import secp256k1 from 'secp256k1';
import { encodePacked, type Hex, hexToBytes, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Bench, Row } from '../harness/row.ts';
import { asyncWork, syncWork } from '../harness/work.ts';

const privateKey: Hex = `0x${'5'.repeat(64)}`;

/** Return a quote like those of a busy second: size and seed differ from call to call. */
function fieldsOf(index: number): CreatePositionFields {
  return {
    positionSeed: `0x${index.toString(16).padStart(32, '0')}`,
    user: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    venueMarketId: `0x${'11'.repeat(32)}`,
    venueTokenId: 72690798903588392269001731007662425920353898908680709179939493847828858696064n,
    collateralUsdcUnits: usdcUnits(25_000_000n + BigInt(index)),
    leverageBps: leverageBps(40_000n),
    notionalUsdcUnits: usdcUnits(100_000_000n + 4n * BigInt(index)),
    originationFeeBps: rateBps(150n),
    lifetimeFeeAprBps: rateBps(1_000n),
    liquidationFeeBps: rateBps(100n),
    signatureExpiry: 1_900_000_000n,
    chainId: 31_337,
    vault: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  };
}

/** Return the same digest from the generic encoder of the peer. */
function encodedDigestOf(fields: CreatePositionFields): Hex {
  return keccak256(
    encodePacked(
      [
        'string',
        'bytes16',
        'address',
        'bytes32',
        'uint256',
        'uint256',
        'uint32',
        'uint256',
        'uint16',
        'uint16',
        'uint16',
        'uint256',
        'uint256',
        'address',
      ],
      [
        createPositionTag,
        fields.positionSeed,
        fields.user,
        fields.venueMarketId,
        fields.venueTokenId,
        raw(fields.collateralUsdcUnits),
        Number(raw(fields.leverageBps)),
        raw(fields.notionalUsdcUnits),
        Number(raw(fields.originationFeeBps)),
        Number(raw(fields.lifetimeFeeAprBps)),
        Number(raw(fields.liquidationFeeBps)),
        fields.signatureExpiry,
        BigInt(fields.chainId),
        fields.vault,
      ],
    ),
  );
}

const floor = 'native ecdsaSign alone';
const peer = 'viem encodePacked + signMessage';

async function prepare(): Promise<Bench> {
  const signer = new QuoteSigner(new SigningKey(privateKey));
  const account = privateKeyToAccount(privateKey);
  const sign = (index: number): Promise<Hex> =>
    account.signMessage({ message: { raw: encodedDigestOf(fieldsOf(index)) } });
  if ((await signer.sign(fieldsOf(7))).signature !== (await sign(7))) throw new Error('both paths must sign the same');

  const key = hexToBytes(privateKey);
  const hash = new Uint8Array(32).fill(7);
  return {
    subject: asyncWork('QuoteSigner.sign', (index) => signer.sign(fieldsOf(index))),
    others: [
      syncWork(floor, (index) => {
        hash[0] = index & 255;
        hash[1] = (index >> 8) & 255;
        return secp256k1.ecdsaSign(hash, key);
      }),
      asyncWork(peer, sign),
    ],
    bars: [
      { against: floor, atLeast: 0.45 },
      { against: peer, atLeast: 4 },
    ],
  };
}

/** Digest of the 14 packed values and its signature, as every quote needs them. */
export const quoteSignature: Row = { name: 'quote-signature', work: 'quote digest + signature', prepare };
