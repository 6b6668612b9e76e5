import { type Abi, type AbiParameter, toFunctionSelector } from 'viem';

/** An error as an ABI declares it. */
export interface AbiErrorEntry {
  readonly type: 'error';
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
}

/** Solidity's own two. */
const languageErrors: readonly AbiErrorEntry[] = [
  { type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string', internalType: 'string' }] },
  { type: 'error', name: 'Panic', inputs: [{ name: 'code', type: 'uint256', internalType: 'uint256' }] },
];

/** Sentences of the errors that nothing documents where they are declared. */
const otherSentences: Readonly<Record<string, string>> = {
  Error: 'The contract that was called refused with a text of its own.',
  Panic: 'Arithmetic left its range, or a value that cannot be was found: a broken assumption. Do not try again.',
  Blacklisted: 'USDC refuses to move money of this address, or to it.',
  CloneArgumentsTooLong: 'The values fixed in the code of an account are longer than code may be.',
  InvalidShortString: 'A short string does not have the form it must have.',
  StringTooLong: 'A string is longer than the 31 bytes it may have.',
};

/** Every error of some ABIs and of the language, each once, by name. */
export function revertErrorsOf(abis: readonly Abi[]): readonly AbiErrorEntry[] {
  const declared = abis.flatMap((abi) => abi.flatMap((entry) => (entry.type === 'error' ? [entry] : [])));
  const bySelector = new Map([...languageErrors, ...declared].map((entry) => [selectorOf(entry), entry]));
  return [...bySelector.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/**
 * Selector → name and sentence of every error, as TypeScript: what the sources say of an error, without its parameters.
 *
 * @param documented What the sources say, by name.
 * @throws Error for one that nothing explains.
 */
export function revertErrorsText(
  errors: readonly AbiErrorEntry[],
  documented: Readonly<Record<string, string>>,
): string {
  const lines = errors.map((error) => {
    const sentence = documented[error.name] ?? otherSentences[error.name];
    if (sentence === undefined) throw new Error(`nothing says what ${error.name} means`);
    return `  '${selectorOf(error)}': { name: '${error.name}', sentence: ${JSON.stringify(sentence)} },`;
  });
  return [
    '/** Selector of revert data → its error and what that says. */',
    'export const revertErrors = {',
    ...lines,
    '} as const;\n',
  ].join('\n');
}

/** Selector → name alone, for programs that show no sentence and are to stay small. */
export function errorNamesText(errors: readonly AbiErrorEntry[]): string {
  const lines = errors.map((error) => `  '${selectorOf(error)}': '${error.name}',`);
  return [
    '/** Selector of revert data → name of its error. */',
    'export const errorNames = {',
    ...lines,
    '} as const;\n',
  ].join('\n');
}

function selectorOf({ name, inputs }: AbiErrorEntry): string {
  return toFunctionSelector({ type: 'function', name, inputs, outputs: [], stateMutability: 'view' });
}
