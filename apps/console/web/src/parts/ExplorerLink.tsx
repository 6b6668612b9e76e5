import { OutsideLink } from './OutsideLink.tsx';

interface ExplorerLinkProps {
  readonly kind: 'tx' | 'address';
  readonly id: string;
  /** Block explorer of the chain; null where it has none. */
  readonly explorerUrl: string | null;
  readonly text: string;
}

/** Link to a transaction or an address in the block explorer; plain text on a chain without one. */
export function ExplorerLink({ kind, id, explorerUrl, text }: ExplorerLinkProps) {
  if (explorerUrl === null) return <span>{text}</span>;
  return <OutsideLink text={text} url={`${explorerUrl}/${kind}/${id}`} />;
}
