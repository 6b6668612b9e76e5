import { z } from 'zod';
import { uint256Text } from '../codecs/formats.ts';
import { positionStatusValue } from '../resources/position.ts';
import { parameterDescriptions } from './parameterSchemas.ts';
import { exclusive, expandOf, nameText, pageFields } from './query.ts';

const fields = {
  ...pageFields,
  expand: expandOf(['unwinds', 'planned_unwinds', 'basis', 'ledger', 'total_count']),
  sort_by: z.enum(['created_at', 'closed_at']).default('created_at'),
  sort_direction: z.enum(['asc', 'desc']).default('desc'),
  status: positionStatusValue.optional().register(parameterDescriptions, {
    type: 'string',
    description: '`open` also returns positions that are being unwound',
  }),
  state: z.enum(['active', 'inactive']).optional(),
  token_id: uint256Text.optional(),
  venue_token_id: uint256Text.optional().meta({ deprecated: true, description: 'Older spelling of `token_id`' }),
};

function oneTokenFilter(query: { token_id?: string | undefined; venue_token_id?: string | undefined }): boolean {
  const { token_id: newer, venue_token_id: older } = query;
  return newer === undefined || older === undefined || newer === older;
}
const oneTokenMessage = { path: ['venue_token_id'], message: 'must equal token_id when both are given' };

/** Query of every position list. The lists of a market, an event or a series filter by path as well. */
export const positionListQuery = z
  .strictObject({
    ...fields,
    ticker: nameText.optional().meta({ deprecated: true, description: 'Use the market route' }),
  })
  .superRefine(exclusive('starting_after', 'ending_before'))
  .superRefine(exclusive('state', 'status'))
  .refine(oneTokenFilter, oneTokenMessage);

/** Query of the single position. */
export const positionQuery = z.strictObject({ expand: expandOf(['unwinds', 'planned_unwinds', 'basis', 'ledger']) });

/** Query of the partial closes: a page, without filters. */
export const partialCloseListQuery = z
  .strictObject({ ...pageFields, expand: expandOf(['total_count']) })
  .superRefine(exclusive('starting_after', 'ending_before'));

/** Query of the deprecated unwinds route. */
export const unwindListQuery = z.strictObject({ status: z.enum(['executed', 'planned', 'all']).default('executed') });
