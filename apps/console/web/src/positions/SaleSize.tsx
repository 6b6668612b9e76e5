import type { OpenPosition } from '@core/sdk';
import { tokens } from '../money.ts';
import { PartButtons } from '../parts/PartButtons.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { partOf, partRangeOf, soldUnitsOf } from './soldPart.ts';

interface SaleSizeProps {
  readonly position: OpenPosition;
  /** Hundredths of a token; null for all tokens. */
  readonly part: bigint | null;
  readonly onChange: (part: bigint | null) => void;
}

/** Input of the tokens to sell: all of them, or a part within the range that the vault sells. */
export function SaleSize({ position, part, onChange }: SaleSizeProps) {
  const range = partRangeOf(position);
  const units = part === null ? position.current.position_token_units : (soldUnitsOf(position, part) ?? 0n);
  const text = `${tokens(String(units))} tokens`;
  const { minimum, maximum } = range ?? { minimum: 0n, maximum: 0n };
  return (
    <>
      <label>
        Size <output translate="no">{text}</output>
        <input
          type="range"
          disabled={range === null}
          min={Number(minimum)}
          max={Number(maximum) + 1}
          value={Number(part === null ? maximum + 1n : part)}
          aria-valuetext={text}
          onChange={({ target }) => onChange(BigInt(target.value) > maximum ? null : BigInt(target.value))}
        />
      </label>
      <PartButtons
        isDisabled={(quarters) =>
          quarters < 4n && (partOf(position, quarters) < minimum || partOf(position, quarters) > maximum)
        }
        onChoose={(quarters) => onChange(quarters < 4n ? partOf(position, quarters) : null)}
      />
      <p className="hint">
        <Sentence
          text={
            range === null
              ? 'This position is too small to be sold in parts.'
              : `A part has ${tokens(minimum * 10_000n)} to ${tokens(maximum * 10_000n)} tokens.`
          }
        />
      </p>
    </>
  );
}
