import { percent } from '../money.ts';

const choices = [100, 200, 500, 1_000] as const;

interface SlippageInputProps {
  readonly slippageBps: number;
  readonly onChange: (slippageBps: number) => void;
}

/** Slippage setting: the shortfall of tokens an order accepts before it is refunded. */
export function SlippageInput({ slippageBps, onChange }: SlippageInputProps) {
  return (
    <label>
      Slippage
      <select value={slippageBps} onChange={({ target }) => onChange(Number(target.value))}>
        {choices.map((bps) => (
          <option key={bps} value={bps} translate="no">
            {percent(bps)}
          </option>
        ))}
      </select>
    </label>
  );
}
