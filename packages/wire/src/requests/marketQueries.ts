import { z } from 'zod';
import { categoryValue, marketStatusValue, providerValue } from '../resources/market.ts';
import { priceHistoryRange } from '../resources/marketData.ts';
import { parameterDescriptions } from './parameterSchemas.ts';
import { booleanText, exclusive, expandOf, nameText, pageFields } from './query.ts';

const freeText = z.string().min(1, 'must not be empty').max(200);
const freeTextDescription =
  'Substring of the title, or exactly the ticker (both without regard to case), or exactly a token ID';

const fields = {
  ...pageFields,
  expand: expandOf(['total_count', 'prices', 'rules']),
  sort: z.enum(['ticker_asc', 'depth_desc', 'discovered_at_desc']).default('ticker_asc'),
  accepting_new_positions: booleanText.optional().register(parameterDescriptions, {
    type: 'boolean',
    description: 'True: markets that accept new positions on YES or NO; false: on neither',
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
export const marketQuery = z.strictObject({ expand: expandOf(['prices', 'rules']) });

/** Query of the price history of a market. */
export const priceHistoryQuery = z.strictObject({ range: priceHistoryRange.default('1d') });

const maxTickers = 50;

/** Query of the statistics of several markets. */
export const marketStatisticsQuery = z.strictObject({
  tickers: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(nameText).max(maxTickers, `must be at most ${maxTickers} tickers`))
    .register(parameterDescriptions, {
      type: 'string',
      description: `Comma-separated list of at most ${maxTickers} tickers; unknown ones are left out`,
    }),
});
