import { decodeErrorResult, type Hex, parseAbi } from 'viem';
import { errorNames } from '../generated/errorNames.ts';
import { revertErrors } from '../generated/revertErrors.ts';
import { vaultAbi } from '../generated/vaultAbi.ts';

/** What a refused call says. */
export interface ExplainedRevert {
  /** Name of the error, as its contract declares it. */
  readonly name: string;
  /** What is wrong and, of our own errors, what helps. */
  readonly sentence: string;
  /** Values the error carries, in their order, decoded as viem does; empty when they do not fit its declaration. */
  readonly args: readonly unknown[];
}

const names: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(Object.entries(errorNames));
const selectorLength = 2 + 2 * 4;
const abi = /* @__PURE__ */ (() => [...vaultAbi, ...parseAbi(['error Error(string)', 'error Panic(uint256)'])])();

/**
 * Explains revert data of a call to the vault, its pool, an account or the ERC-20 they move.
 *
 * @returns null for an error that none of them declares.
 */
export function explainRevert(revertData: Hex): ExplainedRevert | null {
  const name = errorNameOf(revertData);
  const selector = revertData.slice(0, selectorLength).toLowerCase();
  return name === null ? null : { name, sentence: sentenceOf(selector), args: argsOf(revertData) };
}

/** Name of the error in revert data of such a call; null for an error that none of the contracts declares. */
export function errorNameOf(revertData: Hex): string | null {
  return names.get(revertData.slice(0, selectorLength).toLowerCase()) ?? null;
}

function sentenceOf(selector: string): string {
  return new Map<string, { readonly sentence: string }>(Object.entries(revertErrors)).get(selector)?.sentence ?? '';
}

function argsOf(data: Hex): readonly unknown[] {
  try {
    return decodeErrorResult({ abi, data: data.toLowerCase() as Hex }).args ?? [];
  } catch {
    // A contract that pretends: the selector of an error without its values.
    return [];
  }
}
