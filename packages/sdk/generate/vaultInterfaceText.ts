import { vaultAbi } from '@core/vault';
import { toEventSelector, toFunctionSelector } from 'viem';

/** Functions of the vault that the client calls or reads. The whole interface would be a quarter of the client. */
const functionNames: ReadonlySet<string> = new Set([
  'addMargin',
  'cancelPosition',
  'claim',
  'createPosition',
  'debtOf',
  'exitByRepaying',
  'openingPaused',
  'positionOf',
  'requestClose',
]);

/** Errors of a user's calls; the client has a sentence about each. */
const revertNames: ReadonlySet<string> = new Set([
  'Blacklisted',
  'CloseOutOfRange',
  'CollateralOutOfRange',
  'ERC20InsufficientAllowance',
  'ERC20InsufficientBalance',
  'FeeAboveMaximum',
  'InsufficientBalance',
  'InvalidQuoteSignature',
  'LeverageOutOfRange',
  'LiquidityExceeded',
  'NotPositionOwner',
  'NothingOwed',
  'NotionalMismatch',
  'NothingToClaim',
  'OpeningIsPaused',
  'OrderLive',
  'OutcomeCapExceeded',
  'SeedUsed',
  'SignatureExpired',
  'SignatureTooFarAhead',
  'UnknownOutcome',
  'UserLimitOutOfRange',
  'VenueFeeAboveMaximum',
  'VenueFeeTooSmall',
  'WrongState',
]);

/** Generate the part of the vault's interface that a user needs. */
export function vaultInterfaceText(): string {
  const functions = vaultAbi.filter((entry) => entry.type === 'function' && functionNames.has(entry.name));
  if (functions.length !== functionNames.size) throw new Error('the vault lacks a function of the client');
  const topics = vaultAbi.flatMap((entry) =>
    entry.type === 'event' && entry.inputs[0]?.name === 'positionKey' ? [toEventSelector(entry)] : [],
  );
  const reverts = vaultAbi.flatMap((entry) =>
    entry.type === 'error' && revertNames.has(entry.name)
      ? [[toFunctionSelector({ ...entry, type: 'function', outputs: [], stateMutability: 'view' }), entry.name]]
      : [],
  );
  if (reverts.length < revertNames.size) throw new Error('the contracts lack an error of the client');
  return `/** Functions of the vault that the client calls or reads. */
export const ownerAbi = [
${functions.map((entry) => `  ${JSON.stringify(withoutSolidityTypes(entry))},`).join('\n')}
] as const;

/** First topics of the events whose second topic is a position key. */
export const positionEventTopics: readonly string[] = [
${topics.map((topic) => `  '${topic}',`).join('\n')}
];

/** Name of the error by selector of revert data, for the errors of a user's calls. */
export const revertNames = {
${reverts.map(([selector, name]) => `  '${selector}': '${name}',`).join('\n')}
} as const;
`;
}

/** Return an ABI entry without the names of Solidity's types, which do not affect encoding. */
const withoutSolidityTypes = (entry: object): unknown =>
  JSON.parse(JSON.stringify(entry, (name, value: unknown) => (name === 'internalType' ? undefined : value)));
