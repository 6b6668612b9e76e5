/** Escape text for HTML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const style = [
  'body{font:16px/1.55 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;color:#1d2733;background:#fff}',
  'h1{font-size:1.6rem}h1 code{font-size:1em}h2{font-size:1.15rem;margin-top:2rem}a{color:#0b5cad}li{margin:.2rem 0}',
  'code,pre{font:14px/1.5 ui-monospace,monospace;background:#eef2f6;border-radius:4px}code{padding:.1em .3em}',
  'pre{padding:1rem;overflow-x:auto}pre code{padding:0;background:none}',
  '@media(prefers-color-scheme:dark){body{color:#dbe4ee;background:#131a22}a{color:#7db8f7}code,pre{background:#1f2a36}}',
].join('\n');

/** A page without scripts. `body` is HTML already. */
export function htmlPageOf({ title, body }: { readonly title: string; readonly body: string }): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    body,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/**
 * The Markdown of our own generated pages as HTML: headings, paragraphs, lists, fenced code, inline code and links to
 * neighbouring pages. Nothing else is read, and everything is escaped first.
 */
export function htmlOfMarkdown(markdown: string): string {
  const parts = markdown.split(/```\w*\n([\s\S]*?)```\n/);
  return parts
    .map((part, index) =>
      // What was captured is every second part: the inside of a fence.
      index % 2 === 1 ? `<pre><code>${escaped(part)}</code></pre>` : blocksOf(part),
    )
    .join('\n');
}

function blocksOf(markdown: string): string {
  return markdown
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map(blockOf)
    .join('\n');
}

function blockOf(block: string): string {
  const heading = /^(#{1,2}) (.+)$/.exec(block);
  if (heading !== null) return `<h${heading[1]?.length}>${inlineOf(heading[2] ?? '')}</h${heading[1]?.length}>`;
  if (!block.startsWith('- ')) return `<p>${inlineOf(block)}</p>`;
  const items = block.split('\n').map((line) => `<li>${inlineOf(line.replace(/^- /, ''))}</li>`);
  return `<ul>${items.join('')}</ul>`;
}

function inlineOf(text: string): string {
  return escaped(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\[([^\]]+)\]\(([\w./:-]+)\)/g, '<a href="$2">$1</a>');
}
