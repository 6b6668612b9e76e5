import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiDrawer } from '../drawer/ApiDrawer.tsx';
import { timeText } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { controlCodeOf } from './controlCode.ts';
import { venueClient } from './venueClient.ts';

const steps = [
  { text: 'one minute', seconds: 60 },
  { text: 'half an hour', seconds: 1_800 },
  { text: 'a day', seconds: 86_400 },
  { text: 'a week', seconds: 604_800 },
] as const;
const refetchMs = 5_000;

/** Form that advances the clock of chain, venue and service together. */
export function ClockCard() {
  const queries = useQueryClient();
  const [seconds, setSeconds] = useState<number>(steps[0].seconds);
  const clock = useQuery({
    queryKey: ['venue', 'clock'],
    queryFn: () => venueClient.nowMs(),
    staleTime: 0,
    refetchInterval: refetchMs,
  });
  const move = useMutation({
    mutationFn: () => venueClient.advance(seconds),
    // Not awaited: the venue responds after it has processed the whole interval.
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['venue', 'clock'] }),
  });
  return (
    <section className="card ticket" aria-label="Clock">
      <h2>Clock</h2>
      <p data-figure="service-time" translate="no">
        {clock.data === undefined ? '…' : timeText(new Date(clock.data).toISOString())}
      </p>
      <label>
        Advance by
        <select value={seconds} onChange={({ target }) => setSeconds(Number(target.value))}>
          {steps.map((step) => (
            <option key={step.seconds} value={step.seconds}>
              {step.text}
            </option>
          ))}
        </select>
      </label>
      <button type="button" aria-disabled={move.isPending} onClick={() => (move.isPending ? undefined : move.mutate())}>
        Advance clock
      </button>
      {move.isError ? <p role="alert">{errorText(move.error)}</p> : null}
      <p role="status" className="hint">
        {move.isPending ? 'Advancing chain, venue and service …' : 'The clock cannot be set back.'}
      </p>
      <ApiDrawer action="Advance clock" actionCode={controlCodeOf('clock', { advance_seconds: seconds })} />
    </section>
  );
}
