import { decodeErrorResult, type Hex, parseAbi } from 'viem';
import { errorNames } from '../generated/errorNames.ts';
import { revertErrors } from '../generated/revertErrors.ts';
import { vaultAbi } from '../generated/vaultAbi.ts';

/** Explanation of a reverted call. */
export interface ExplainedRevert {
  /** Name of the error as its contract declares it. */
  readonly name: string;
  /** Cause of the error and, for errors of the vault and the pool, its remedy. */
  readonly sentence: string;
  /** Values of the error in order, decoded as viem does; empty when they do not fit its declaration. */
  readonly args: readonly unknown[];
}

const names: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(Object.entries(errorNames));
const selectorLength = 2 + 2 * 4;
const abi = /* @__PURE__ */ (() => [...vaultAbi, ...parseAbi(['error Error(string)', 'error Panic(uint256)'])])();

/**
 * Explain the revert data of a call to the vault, its pool, an account or the ERC-20 they move.
 *
 * @returns Name, sentence and values, or null for an error that none of these contracts declares.
 * @example
 * ```ts
 * const explained = explainRevert(revertData);
 * if (explained !== null) console.error(explained.name, explained.sentence);
 * ```
 */
export function explainRevert(revertData: Hex): ExplainedRevert | null {
  const name = errorNameOf(revertData);
  const selector = revertData.slice(0, selectorLength).toLowerCase();
  return name === null ? null : { name, sentence: sentenceOf(selector), args: argsOf(revertData) };
}

/** Return the name of the error in such revert data; null for an error that none of the contracts declares. */
export function errorNameOf(revertData: Hex): string | null {
  return names.get(revertData.slice(0, selectorLength).toLowerCase()) ?? null;
}

function sentenceOf(selector: string): string {
  return new Map<string, { readonly sentence: string }>(Object.entries(revertErrors)).get(selector)?.sentence ?? '';
}

function argsOf(data: Hex): readonly unknown[] {
  try {
    return decodeErrorResult({ abi, data: `0x${data.slice(2).toLowerCase()}` }).args ?? [];
  } catch {
    // The selector of a declared error with malformed values.
    return [];
  }
}
