import type { QuoteRequest } from '../generated/resources.ts';

/** Format a whole number of a unit as a decimal with at least two decimals. */
function decimalOf(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '').padEnd(2, '0');
  return `${digits.slice(0, -decimals)}.${fraction}`;
}

/** Format a value with the unit that its name ends with: `6.25x`, `$50.00`, `5 %`, `10 s`. */
function figureOf(name: string, value: unknown): string {
  const text = String(value);
  if (!/^\d{1,30}$/.test(text)) return text;
  if (name.endsWith('leverage_bps')) return `${Number(text) / 10_000}x`;
  if (name.endsWith('_bps')) return `${Number(text) / 100} %`;
  if (name.endsWith('_usd_pips')) return `$${decimalOf(text, 4)}`;
  if (name.endsWith('_usdc_units')) return `$${decimalOf(text, 6)}`;
  if (name.endsWith('_token_units')) return `${decimalOf(text, 6)} tokens`;
  return name.endsWith('_seconds') ? `${text} s` : text;
}

/** Replace the names of params in a sentence by their figures. A field of the request keeps its name. */
export function withFigures(sentence: string, params: object, sent: unknown): string {
  return sentence.replaceAll(/`(\w+)`/g, (quoted, name: string) => {
    if (!Object.hasOwn(params, name)) return quoted;
    const figure = figureOf(name, Reflect.get(params, name));
    return Object.hasOwn(Object(sent), name) ? `${quoted} (${figure})` : figure;
  });
}

/** Format the changes of the suggested request as a sentence: `Try leverage 6.25x.` */
export function suggestionOf(suggested: QuoteRequest, sent: object): string {
  const changes = Object.entries(suggested).filter(([name, value]) => Reflect.get(sent, name) !== value);
  const texts = changes.map(
    ([name, value]) => `${name.replace(/_(amount_usd_pips|bps)$/, '').replaceAll('_', ' ')} ${figureOf(name, value)}`,
  );
  return `Try ${texts.join(', ')}.`;
}
