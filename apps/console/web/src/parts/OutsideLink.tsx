import { webUrlOf } from './webUrl.ts';

interface OutsideLinkProps {
  readonly text: string;
  /** Destination; the text itself by default. */
  readonly url?: string;
}

/** Link to a page outside the service. It stays plain text where the destination is no http or https URL. */
export function OutsideLink({ text, url = text }: OutsideLinkProps) {
  const href = webUrlOf(url);
  if (href === null) return <span translate="no">{text}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" translate="no">
      {text}
    </a>
  );
}
