interface PartButtonsProps {
  readonly lastText?: string;
  /** Return true for a part that cannot be chosen, in quarters of the whole. */
  readonly isDisabled: (quarters: bigint) => boolean;
  readonly onChoose: (quarters: bigint) => void;
}

/** Buttons that fill in a quarter, a half, three quarters or the whole. */
export function PartButtons({ lastText = '100 %', isDisabled, onChoose }: PartButtonsProps) {
  const texts = ['25 %', '50 %', '75 %', lastText];
  return (
    <div className="choices">
      {texts.map((text, index) => {
        const quarters = BigInt(index + 1);
        return (
          <button key={text} type="button" disabled={isDisabled(quarters)} onClick={() => onChoose(quarters)}>
            {text}
          </button>
        );
      })}
    </div>
  );
}
