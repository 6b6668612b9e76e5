import type { Market } from '@core/sdk';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiDrawer } from '../drawer/ApiDrawer.tsx';
import { filterMarkets, titleOf } from '../markets/filterMarkets.ts';
import { cents } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { controlCodeOf } from './controlCode.ts';
import { choicesOf, defaultFields, type FieldTexts, valuesOf } from './parameters.ts';
import { type PlayRequest, type Scenario, venueClient } from './venueClient.ts';

interface ScenarioStudioProps {
  readonly scenarios: readonly Scenario[];
  readonly markets: readonly Market[];
}

/** Form of every scenario of the simulator, built from the simulator's own JSON Schemas. */
export function ScenarioStudio({ scenarios, markets }: ScenarioStudioProps) {
  const [name, setName] = useState('crash');
  const [market, setMarket] = useState('');
  const [texts, setTexts] = useState<FieldTexts>({});
  const scenario = scenarios.find((one) => one.name === name) ?? scenarios[0];
  const play = useMutation({ mutationFn: (request: PlayRequest) => venueClient.play(request) });
  if (scenario === undefined) return <p role="alert">This venue has no scenarios.</p>;
  const fields = { ...defaultFields(scenario), ...texts };
  const request: PlayRequest = {
    name: scenario.name,
    market: market === '' ? null : market,
    params: valuesOf(scenario, fields),
  };
  const hint = studioHint({ scenario, market, fields, isBusy: play.isPending });
  const choose = (chosen: string): void => {
    setName(chosen);
    setTexts({});
    play.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (hint === null) play.mutate(request);
  };
  return (
    <form className="card ticket" aria-label="Scenario" onSubmit={submit}>
      <h2>Scenario</h2>
      <label>
        Scenario
        <select value={scenario.name} onChange={({ target }) => choose(target.value)}>
          {scenarios.map((one) => (
            <option key={one.name} value={one.name}>
              {one.name.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      </label>
      <p className="hint">{scenario.summary}</p>
      <MarketChoice markets={markets} value={market} isNeeded={scenario.needs_market} onChange={setMarket} />
      <Fields scenario={scenario} fields={fields} onChange={(field) => setTexts({ ...texts, ...field })} />
      {play.isError ? <p role="alert">{errorText(play.error)}</p> : null}
      <button type="submit" aria-disabled={hint !== null} aria-describedby="studio-hint">
        Run
      </button>
      <p id="studio-hint" role="status" className="hint">
        {hint ?? (play.isSuccess ? `Done: ${play.variables.name.replaceAll('_', ' ')}.` : 'Takes effect immediately.')}
      </p>
      <ApiDrawer action="This scenario" actionCode={hint === null ? controlCodeOf('scenarios', request) : null} />
    </form>
  );
}

/** Return the reason why a scenario cannot be played; null when it can. */
function studioHint(input: {
  readonly scenario: Scenario;
  readonly market: string;
  readonly fields: FieldTexts;
  readonly isBusy: boolean;
}): string | null {
  const { scenario, market, fields } = input;
  if (input.isBusy) return 'Running …';
  if (scenario.needs_market && market === '') return 'Choose a market.';
  const missing = scenario.params.required?.filter((name) => {
    const hasUsual = scenario.params.properties?.[name]?.default !== undefined;
    return !hasUsual && (fields[name] ?? '') === '';
  });
  return missing === undefined || missing.length === 0 ? null : `Fill ${missing.join(', ').replaceAll('_', ' ')}.`;
}

interface MarketChoiceProps {
  readonly markets: readonly Market[];
  readonly value: string;
  readonly isNeeded: boolean;
  readonly onChange: (ticker: string) => void;
}

function MarketChoice({ markets, value, isNeeded, onChange }: MarketChoiceProps) {
  const sorted = filterMarkets(markets, { text: '', category: 'all', isOpenOnly: false });
  return (
    <label>
      Market
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{isNeeded ? 'Choose one' : 'All markets'}</option>
        {sorted.map((market) => (
          <option key={market.ticker} value={market.ticker} translate="no">
            {`${titleOf(market)} · YES ${cents(market.prices?.yes_ask_price_usd_pips)}`}
          </option>
        ))}
      </select>
    </label>
  );
}

interface FieldsProps {
  readonly scenario: Scenario;
  readonly fields: FieldTexts;
  readonly onChange: (changed: FieldTexts) => void;
}

function Fields({ scenario, fields, onChange }: FieldsProps) {
  return Object.entries(scenario.params.properties ?? {}).map(([name, schema]) => {
    const choices = choicesOf(schema, name);
    const value = fields[name] ?? '';
    const isNumber = schema.type === 'number' || schema.type === 'integer';
    return (
      <label key={name}>
        <span>{name.replaceAll('_', ' ')}</span>
        {choices === null ? (
          <input
            inputMode={isNumber ? 'decimal' : 'text'}
            value={value}
            onChange={({ target }) => onChange({ [name]: target.value })}
          />
        ) : (
          <select value={value} onChange={({ target }) => onChange({ [name]: target.value })}>
            {value === '' ? <option value="">choose</option> : null}
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        )}
      </label>
    );
  });
}
