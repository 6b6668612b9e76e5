import {
  positionFields,
  positionLedgerFields,
  positionPartialCloseFields,
  positionTransactionFields,
  positionUnwindFields,
} from '@core/position';
import { fieldNamesOf } from '../database/columns.ts';

/** Field names of the five tables of positions, in column order. */
export const columnFields = fieldNamesOf(positionFields);
export const transactionFields = fieldNamesOf(positionTransactionFields);
export const unwindFields = fieldNamesOf(positionUnwindFields);
export const partialCloseFields = fieldNamesOf(positionPartialCloseFields);
export const ledgerFields = fieldNamesOf(positionLedgerFields);
