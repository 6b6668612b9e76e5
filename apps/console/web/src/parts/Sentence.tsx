import { Figure } from './Figure.tsx';

/** Identifier, or amount with its sign and unit. */
const figure = /(0x[\da-f]+|[+−]?\$?\d+(?:[.,]\d+)*(?:x| [¢%])?)/i;

/** Words with figures that may change. A change replaces all of them, and a translator leaves the figures alone. */
export function Sentence({ text }: { readonly text: string }) {
  const parts = text.split(figure).map((part, index) => ({ part, key: `${index}`, isFigure: index % 2 === 1 }));
  return (
    <span key={text}>
      {parts.map(({ part, key, isFigure }) =>
        isFigure ? <Figure key={key}>{part}</Figure> : <span key={key}>{part}</span>,
      )}
    </span>
  );
}
