import { type Hex, keccak256, size } from 'viem';

/** One compared fact. */
export interface DeploymentRow {
  readonly name: string;
  readonly expected: string;
  readonly found: string;
  readonly isSame: boolean;
}

/** Compares a fact as text: addresses in any case, whole numbers in decimal, sets in any order. */
export function rowOf(name: string, expected: unknown, found: unknown): DeploymentRow {
  const [wanted, actual] = [textOf(expected), textOf(found)];
  return { name, expected: wanted, found: actual, isSame: wanted.toLowerCase() === actual.toLowerCase() };
}

/** Compares code; the table shows its length and hash. */
export function codeRowOf(name: string, expected: Hex, found: Hex | undefined): DeploymentRow {
  const isThere = found !== undefined && found !== '0x';
  return rowOf(`${name} code`, bytesText(expected), isThere ? bytesText(found) : 'no code');
}

/** Compares bytes; the table shows their number and hash. */
export function bytesRowOf(name: string, expected: Hex, found: Hex): DeploymentRow {
  return rowOf(name, bytesText(expected), bytesText(found));
}

function bytesText(bytes: Hex): string {
  return `${size(bytes)} bytes, ${keccak256(bytes)}`;
}

function textOf(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  return value.length === 0
    ? 'none'
    : value
        .map((one) => textOf(one).toLowerCase())
        .sort()
        .join(' ');
}
