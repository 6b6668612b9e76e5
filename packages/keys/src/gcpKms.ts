import { GoogleAuth } from 'google-auth-library';
import { hexToBytes } from 'viem';
import { askRepeatedly } from './askRepeatedly.ts';
import type { KeyPlace } from './keySource.ts';
import { addressOfPublicKey } from './publicKeyAddress.ts';
import { numbersOfDer } from './recoveredSignature.ts';
import { type KeyHolder, signingTimeoutMs } from './remoteSigner.ts';

const publicEndpoint = 'https://cloudkms.googleapis.com';

/**
 * Key version of the algorithm EC_SIGN_SECP256K1_SHA256 in Google Cloud KMS. The service signs 32 bytes under the name
 * of SHA-256, whichever hash they are. Credentials come from where every Google program finds them.
 */
export function gcpKms({ version, endpoint }: Extract<KeyPlace, { readonly kind: 'gcp' }>): KeyHolder {
  const auth = new GoogleAuth({ scopes: ['https://www.googleapis.com/auth/cloudkms'] });
  const url = `${endpoint ?? publicEndpoint}/v1/${version}`;
  const ask = async (path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const authorization = (await auth.getRequestHeaders()).get('authorization') ?? '';
    const question = {
      url: `${url}${path}`,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? { method: 'GET' as const } : { method: 'POST' as const, body: JSON.stringify(body) }),
    };
    return JSON.parse(await askRepeatedly(question, signingTimeoutMs));
  };
  return {
    name: 'Google Cloud KMS',
    implementation: 'gcp-kms',
    async observeAddress() {
      const { pem } = await ask('/publicKey');
      return typeof pem === 'string' ? addressOfPublicKey(pem) : null;
    },
    async sign({ hash }) {
      const digest = { sha256: Buffer.from(hexToBytes(hash)).toString('base64') };
      const { signature } = await ask(':asymmetricSign', { digest });
      return typeof signature === 'string' ? numbersOfDer(Buffer.from(signature, 'base64')) : null;
    },
  };
}
