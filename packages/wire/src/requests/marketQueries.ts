import { z } from 'zod';
import { categoryValue, marketStatusValue, providerValue } from '../resources/market.ts';
import { parameterDescriptions } from './parameterSchemas.ts';
import { booleanText, exclusive, expandOf, pageFields } from './query.ts';

const freeText = z.string().min(1, 'must not be empty').max(200);
const freeTextDescription =
  'Substring of the title, or exactly the ticker (both without regard to case), or exactly a token ID';

const fields = {
  ...pageFields,
  expand: expandOf(['total_count', 'prices']),
  sort: z.enum(['ticker_asc', 'depth_desc', 'discovered_at_desc']).default('ticker_asc'),
  accepting_new_positions: booleanText.optional().register(parameterDescriptions, {
    type: 'boolean',
    description: 'True: markets where YES or NO accepts; false: where neither does',
  }),
  category: categoryValue.optional(),
  provider: providerValue.optional(),
  status: marketStatusValue.default('active'),
};

/** Query of the market list, also under an event or a series. */
export const marketListQuery = z
  .strictObject({
    ...fields,
    query: freeText.optional().register(parameterDescriptions, { type: 'string', description: freeTextDescription }),
  })
  .superRefine(exclusive('starting_after', 'ending_before'));

/** Query of the deprecated search: the list with `query` required. */
export const marketSearchQuery = z
  .strictObject({
    ...fields,
    query: freeText.register(parameterDescriptions, { type: 'string', description: freeTextDescription }),
  })
  .superRefine(exclusive('starting_after', 'ending_before'));

/** Query of the single market. */
export const marketQuery = z.strictObject({ expand: expandOf(['prices']) });
