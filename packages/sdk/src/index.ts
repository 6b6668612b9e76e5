export { ChainAction } from './chain/action.ts';
export type { Step } from './chain/actionPlan.ts';
export {
  PositionNotOpenedError,
  RpcError,
  TransactionNotSentError,
  TransactionReplacedError,
  TransactionRevertedError,
  WrongChainError,
} from './chain/chainErrors.ts';
export { ContractMismatchError, type PinnedContracts } from './chain/contracts.ts';
export type { ChainReader, ChainSource } from './chain/rpc.ts';
export { sendCall } from './chain/sendCall.ts';
export type { PositionDebt } from './chain/vaultCalls.ts';
export type { Transaction, Wallet } from './chain/wallet.ts';
export { InputError } from './errors/inputError.ts';
export {
  type AnyServiceError,
  ApiError,
  AuthenticationError,
  type ClientCode,
  type ErrorOf,
  InvalidRequestError,
  isCode,
  isServiceError,
  LevError,
  NetworkError,
  OutcomeUnknownError,
  RateLimitError,
  ServiceError,
} from './errors/levError.ts';
export type { EventStream, MarketStreamOptions, StreamOptions } from './events/eventStream.ts';
export type { Events } from './events/events.ts';
export type {
  FollowedPrices,
  GapEvent,
  PricesFrame,
  ServiceEvent,
  SnapshotEvent,
  StreamEvent,
} from './events/frames.ts';
export type { ErrorCode, ErrorParams } from './generated/errors.ts';
export type * from './generated/resources.ts';
export { basePath, type Operations, routes } from './generated/routes.ts';
export type { TokenSource } from './http/credential.ts';
export { curlOf } from './http/curlOf.ts';
export type { RequestOf, Rest } from './http/rest.ts';
export type { Surroundings } from './http/surroundings.ts';
export type { CallOptions, SentRequest } from './http/transport.ts';
export { Lev, type LevOptions, type LevUser, type PreflightOptions } from './lev.ts';
export type { MarketFilter } from './lists/marketLists.ts';
export type { Page, Pages } from './lists/pages.ts';
export { loadTransactions } from './loadTransactions.ts';
export { type DebtFigures, debtAfterMargin, debtAfterSale, debtFiguresOf } from './positions/debtEffects.ts';
export type { PositionRef } from './positions/positionRef.ts';
export type { PositionFilter } from './positions/positions.ts';
export type { Requirement } from './quotes/preflight.ts';
export type { QuoteCheck, QuoteDifference, QuoteExpectation } from './quotes/quoteCheck.ts';
export { QuoteNotVerifiedError } from './quotes/quoteNotVerifiedError.ts';
export type { QuoteOrder } from './quotes/quoteOrder.ts';
export { bidOf, midOf, proposedMinPriceOf, type Sale, type SaleTerms, saleOf } from './quotes/saleOf.ts';
export { signedFieldNames } from './quotes/signedFields.ts';
export { type Ticket, type TicketQuote, type TicketTerms, ticketOf } from './quotes/ticketOf.ts';
export { verifyQuote } from './quotes/verifyQuote.ts';
