import { keyUrl, openSigner } from '@core/keys';
import { startWeb3Signer } from '@core/keys/testing';
import { httpExchange } from '@core/runtime';
import { SigningKey } from '@core/vault';
import { bytesToHex, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Bench, Observation, Row } from '../harness/row.ts';
import { asyncWork } from '../harness/work.ts';

const privateKey: Hex = `0x${'5'.repeat(64)}`;
const floor = 'one HTTP exchange with the same holder';
const sampleCount = 500;

function messageOf(index: number): Uint8Array {
  const message = new Uint8Array(60).fill(7);
  message[0] = index & 255;
  message[1] = (index >> 8) & 255;
  return message;
}

/** Measure single signatures, one after the other. */
async function observeLatency(sign: (index: number) => Promise<Hex>): Promise<readonly Observation[]> {
  const durationsMs: number[] = [];
  for (let index = 0; index < sampleCount; index += 1) {
    const startMs = performance.now();
    await sign(index);
    durationsMs.push(performance.now() - startMs);
  }
  const sorted = durationsMs.toSorted((left, right) => left - right);
  const at = (share: number): number => sorted[Math.floor(sampleCount * share)] ?? 0;
  return [
    { what: 'p50 of one signature', amount: at(0.5), unit: 'ms' },
    { what: 'p99 of one signature', amount: at(0.99), unit: 'ms' },
  ];
}

async function prepare(): Promise<Bench> {
  const holder = await startWeb3Signer(privateKey);
  const { address, publicKey } = privateKeyToAccount(privateKey);
  const place = keyUrl.read(`web3signer+${holder.url}`);
  if (place === undefined) throw new Error('the holder must have a place');
  const signer = await openSigner({ kind: 'remote', place, address });
  const sign = (index: number): Promise<Hex> => signer.signMessage(messageOf(index));
  if ((await sign(7)) !== (await new SigningKey(privateKey).signMessage(messageOf(7)))) {
    throw new Error('both keys must sign the same');
  }
  const url = `${holder.url}/api/v1/eth1/sign/0x${publicKey.slice(4)}`;
  const headers = { 'content-type': 'application/json' };
  const exchange = (index: number) =>
    httpExchange({
      url,
      method: 'POST',
      headers,
      body: JSON.stringify({ data: bytesToHex(messageOf(index)) }),
      timeoutMs: 3_000,
    });
  return {
    subject: asyncWork('signer at a holder on this host', sign),
    others: [asyncWork(floor, exchange)],
    bars: [{ against: floor, atLeast: 0.3 }],
    observe: () => observeLatency(sign),
    close: () => holder.close(),
  };
}

/** Cost of a signature by a key outside of the process: the exchange, and the recovery of the signer. */
export const remoteSignature: Row = {
  name: 'remote-signature',
  work: 'signature by a remote signer, checked',
  prepare,
};
