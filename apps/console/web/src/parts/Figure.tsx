interface FigureProps {
  readonly children: string;
  readonly className?: string | undefined;
  readonly title?: string;
}

/** Price, amount, time, count or identifier in an element of its own, which no translator changes. */
export function Figure({ children, className, title }: FigureProps) {
  return (
    <span translate="no" className={className} title={title}>
      {children}
    </span>
  );
}
