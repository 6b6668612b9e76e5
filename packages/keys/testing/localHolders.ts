import { createPublicKey, type KeyObject } from 'node:crypto';
import type { SigningKey } from '@core/vault';
import { type Hex, hexToBytes, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  derOf,
  type HolderAnswer,
  type HolderRequest,
  type LocalHolder,
  numbersSignedBy,
  startHolder,
} from './holderServer.ts';

/** Uncompressed points of the keys that holders on this machine have, by address. */
const points = new Map<string, Hex>();

function pointOf({ address }: SigningKey): Hex {
  const point = points.get(address);
  if (point === undefined) throw new Error(`no holder has the key of ${address}`);
  return point;
}

/** Remember the public key of a private one, for holders that show it. */
export function publishPoint(privateKey: Hex): void {
  const { address, publicKey } = privateKeyToAccount(privateKey);
  points.set(address, publicKey);
}

function publicKeyOf(key: SigningKey): KeyObject {
  const bytes = hexToBytes(pointOf(key));
  const coordinate = (start: number): string => Buffer.from(bytes.subarray(start, start + 32)).toString('base64url');
  return createPublicKey({ key: { kty: 'EC', crv: 'secp256k1', x: coordinate(1), y: coordinate(33) }, format: 'jwk' });
}

const json = (status: number, body: unknown): HolderAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Start AWS KMS with one key: JSON over HTTP, the operation in a header, requests signed by their sender. */
export function startAwsKms(privateKey: Hex, keyId: string): Promise<LocalHolder> {
  publishPoint(privateKey);
  return startHolder(privateKey, ({ headers, body }, holder) => {
    const isSigned = String(headers.authorization).startsWith('AWS4-HMAC-SHA256 Credential=');
    if (!isSigned) return awsError('MissingAuthenticationTokenException', 'Missing Authentication Token');
    const fields = JSON.parse(body) as Record<string, string>;
    if (fields['KeyId'] !== keyId) return awsError('NotFoundException', `Key '${fields['KeyId']}' does not exist`);
    switch (headers['x-amz-target']) {
      case 'TrentService.GetPublicKey': {
        const der = publicKeyOf(holder.key).export({ format: 'der', type: 'spki' });
        return json(200, {
          KeyId: keyId,
          KeySpec: 'ECC_SECG_P256K1',
          KeyUsage: 'SIGN_VERIFY',
          PublicKey: der.toString('base64'),
          SigningAlgorithms: ['ECDSA_SHA_256'],
        });
      }
      case 'TrentService.Sign': {
        const digest = Buffer.from(fields['Message'] ?? '', 'base64');
        const isDigest = fields['MessageType'] === 'DIGEST' && digest.length === 32;
        if (!isDigest) return awsError('ValidationException', 'Digest is invalid length for algorithm ECDSA_SHA_256.');
        const Signature = derOf(numbersSignedBy(holder, digest)).toString('base64');
        return json(200, { KeyId: keyId, Signature, SigningAlgorithm: 'ECDSA_SHA_256' });
      }
      default:
        return awsError('UnknownOperationException', '');
    }
  });
}

/** Return a refusal of AWS KMS. */
export function awsError(type: string, message: string): HolderAnswer {
  return {
    status: 400,
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-errortype': type },
    body: JSON.stringify({ __type: type, message }),
  };
}

const accessToken = 'token-of-the-machine';

/** Start Google Cloud KMS with one key version, and the metadata server of a machine beside it. */
export function startGcpKms(privateKey: Hex, version: string): Promise<LocalHolder> {
  publishPoint(privateKey);
  return startHolder(privateKey, (request, holder) => {
    const { path } = request;
    if (path.startsWith('/computeMetadata/')) return metadataOf(request);
    if (request.headers.authorization !== `Bearer ${accessToken}`) return gcpError(401, 'UNAUTHENTICATED');
    if (path === `/v1/${version}/publicKey`) {
      const pem = publicKeyOf(holder.key).export({ format: 'pem', type: 'spki' });
      return json(200, { pem, algorithm: 'EC_SIGN_SECP256K1_SHA256', name: version, protectionLevel: 'HSM' });
    }
    if (path !== `/v1/${version}:asymmetricSign`) return gcpError(404, 'NOT_FOUND');
    const { digest } = JSON.parse(request.body) as { digest: { sha256: string } };
    const numbers = numbersSignedBy(holder, Buffer.from(digest.sha256, 'base64'));
    return json(200, { signature: derOf(numbers).toString('base64'), name: version, protectionLevel: 'HSM' });
  });
}

function metadataOf({ path }: HolderRequest): HolderAnswer {
  const headers = { 'metadata-flavor': 'Google', 'content-type': 'application/json' };
  const isToken = path.includes('/service-accounts/default/token');
  const token = { access_token: accessToken, expires_in: 3_600, token_type: 'Bearer' };
  return { status: 200, headers, body: isToken ? JSON.stringify(token) : '{}' };
}

/** Return a refusal of Google Cloud KMS. */
export const gcpError = (code: number, status: string): HolderAnswer =>
  json(code, { error: { code, message: status.toLowerCase(), status } });

/** Start a remote signer with the routes of Web3Signer for one key. */
export function startWeb3Signer(privateKey: Hex): Promise<LocalHolder> {
  publishPoint(privateKey);
  return startHolder(privateKey, ({ method, path, body }, holder) => {
    const identifier = `0x${pointOf(holder.key).slice(4)}`;
    if (method === 'GET' && path === '/upcheck') return { status: 200, body: 'OK' };
    if (method === 'GET' && path === '/api/v1/eth1/publicKeys') return json(200, [identifier]);
    if (method !== 'POST' || path !== `/api/v1/eth1/sign/${identifier}`) return { status: 404, body: '' };
    const { data } = JSON.parse(body) as { data?: Hex };
    if (data === undefined) return { status: 400, body: '' };
    const signature = holder.key.signHash(hexToBytes(keccak256(data)));
    return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: signature };
  });
}
