import { type CoinReading, coinLevelOf } from '@core/runtime';
import { formatEther } from 'viem';
import { bad, type Finding, fieldOf, good } from './finding.ts';

/**
 * Return the finding about the keepers in the readiness of the API. A keeper whose account has little native coin is a
 * failure before it is stuck; its fix is to send more.
 */
export function keepersFindingOf(readiness: unknown): Finding {
  const keepers = fieldOf(readiness, 'keepers');
  if (!Array.isArray(keepers) || keepers.length === 0) return bad('no heartbeat within the last minute');
  const problems = keepers.map(problemOf).filter((problem) => problem !== null);
  if (problems.length === 0) return good(`${keepers.length} reporting`);
  const fixes = keepers.map(coinFixOf).filter((fix) => fix !== null);
  const finding = bad(problems.join('; '));
  return fixes.length === 0 ? finding : { ...finding, fix: fixes.join(' ') };
}

function problemOf(keeper: unknown): string | null {
  const chain = fieldOf(keeper, 'chain');
  const problems = fieldOf(chain, 'problems');
  const coin = coinOf(chain);
  const isStuck = Array.isArray(problems) && problems.length > 0;
  if (!isStuck && (coin === null || coinLevelOf(coin) === 'enough')) return null;
  const seconds = (name: string): string => `${Math.round(Number(fieldOf(chain, name)) / 1_000)} s`;
  const refusal = fieldOf(chain, 'refusal');
  const figures = [
    `head ${seconds('head_age_ms')} old`,
    `chain ${seconds('lead_ms')} ahead`,
    `nonce pending for ${seconds('nonce_age_ms')}`,
    ...(typeof refusal === 'string' ? [`the node answered: ${refusal}`] : []),
    ...(coin === null ? [] : [coinText(coin)]),
  ];
  const names = isStuck ? problems.join(', ') : 'native coin below the reserve';
  return `${addressOf(keeper)}: ${names} (${figures.join(', ')})`;
}

/** Return the call to send native coin to a keeper up to its reserve; null for one that has enough. */
function coinFixOf(keeper: unknown): string | null {
  const coin = coinOf(fieldOf(keeper, 'chain'));
  if (coin === null || coinLevelOf(coin) === 'enough') return null;
  const lackingWei = coin.reserveWei - coin.balanceWei;
  return `Send ${formatEther(lackingWei)} of the chain's native coin or more to ${addressOf(keeper)}.`;
}

const coinText = ({ balanceWei, minimumWei, reserveWei }: CoinReading): string =>
  `balance ${formatEther(balanceWei)}, needs ${formatEther(minimumWei)} and ${formatEther(reserveWei)} in reserve`;

const addressOf = (keeper: unknown): string => String(fieldOf(keeper, 'address'));

/** Return the native coin of a keeper as it reported it; null for one that did not. */
function coinOf(chain: unknown): CoinReading | null {
  const coin = fieldOf(chain, 'coin');
  const weiOf = (name: string): bigint | null => {
    const text = fieldOf(coin, name);
    return typeof text === 'string' && /^\d+$/.test(text) ? BigInt(text) : null;
  };
  const balanceWei = weiOf('balance_wei');
  const minimumWei = weiOf('minimum_wei');
  const reserveWei = weiOf('reserve_wei');
  if (balanceWei === null || minimumWei === null || reserveWei === null) return null;
  return { balanceWei, minimumWei, reserveWei };
}
