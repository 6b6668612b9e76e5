import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { hexToBytes } from 'viem';
import type { KeyPlace } from './keySource.ts';
import { addressOfPublicKey } from './publicKeyAddress.ts';
import { numbersOfDer } from './recoveredSignature.ts';
import { type KeyHolder, signingTimeoutMs } from './remoteSigner.ts';

/**
 * Key of the specification ECC_SECG_P256K1 in AWS KMS. Credentials, region and endpoint come from where every AWS
 * program finds them: environment, files, the role of the machine or of the container. The client repeats throttled
 * calls.
 */
export function awsKms({ keyId, region, endpoint }: Extract<KeyPlace, { readonly kind: 'aws' }>): KeyHolder {
  const client = new KMSClient({
    ...(region === null ? {} : { region }),
    ...(endpoint === null ? {} : { endpoint }),
  });
  const limit = () => ({ abortSignal: AbortSignal.timeout(signingTimeoutMs) });
  return {
    name: 'AWS KMS',
    implementation: 'aws-kms',
    async observeAddress() {
      const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId: keyId }), limit());
      return PublicKey === undefined ? null : addressOfPublicKey(PublicKey);
    },
    async sign({ hash }) {
      const command = new SignCommand({
        KeyId: keyId,
        Message: hexToBytes(hash),
        MessageType: 'DIGEST',
        SigningAlgorithm: 'ECDSA_SHA_256',
      });
      const { Signature } = await client.send(command, limit());
      return Signature === undefined ? null : numbersOfDer(Signature);
    },
  };
}
