import type { StreamEvent } from '@core/sdk';
import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { countOf } from '../words.ts';

type AnyEvent = StreamEvent<'user'> | StreamEvent<'partner'> | StreamEvent<'markets'>;

/** Print events as they arrive. */
export async function* listen(context: Context): AsyncGenerator<Answer> {
  const count = countOf('--count', context.option('count')) ?? Number.POSITIVE_INFINITY;
  let eventCount = 0;
  for await (const event of streamOf(context)) {
    yield { value: event, text: lineOf(event) };
    eventCount += 1;
    if (eventCount >= count) return;
  }
}

function streamOf({ lev, user, option, isSet }: Context): AsyncIterable<AnyEvent> {
  const after = option('after') ?? undefined;
  if (isSet('markets')) return lev().events.markets({ after });
  return isSet('partner') ? lev().events.stream({ after }) : user().events.stream({ after });
}

function lineOf(event: AnyEvent): string {
  if (event.type === 'gap') return `gap        ${event.reason}`;
  if (event.type === 'snapshot') return `snapshot   ${event.positions.length} positions`;
  const { type, id, created_at: at, data } = event;
  const about = 'ticker' in data ? data.ticker : 'code' in data ? `${data.code} ${data.params.position_id}` : data.id;
  return `${at}  ${id}  ${type}  ${about}`;
}
