import type { Page } from 'playwright-core';

/** Put each text of the page into elements of its own, now and after each change; runs in the page. */
function translate(): void {
  const untouched = 'script, style, code, font, [translate="no"]';
  const wrap = (): void => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Node[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const isWord = node.nodeValue?.trim() !== '';
      if (isWord && node.parentElement?.closest(untouched) === null) texts.push(node);
    }
    for (const node of texts) {
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = node.nodeValue;
      outer.append(inner);
      node.parentNode?.replaceChild(outer, node);
    }
  };
  document.addEventListener('DOMContentLoaded', () => {
    wrap();
    new MutationObserver(wrap).observe(document.body, { childList: true, subtree: true });
  });
}

/** Translate every document that the page opens from now on, as a browser does. */
export async function translatePage(page: Page): Promise<void> {
  await page.addInitScript(translate);
}

/** Node of React's tree: only what the texts need. */
interface Fiber {
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
  readonly stateNode: { readonly current: Fiber };
  readonly memoizedProps: unknown;
}

/**
 * Return the first text of which the page shows another one than React has rendered, with both; null when all are the
 * same. Runs in the page.
 */
function staleText(): string | null {
  const root = document.querySelector('#root');
  const key = Object.keys(root ?? {}).find((name) => name.startsWith('__reactContainer$'));
  if (root === null || key === undefined) return 'no page';
  const texts: string[] = [];
  const collect = (fiber: Fiber | null): void => {
    for (let one = fiber; one !== null; one = one.sibling) {
      const { memoizedProps: props, stateNode } = one;
      const text: unknown = typeof props === 'object' && props !== null ? Reflect.get(props, 'children') : props;
      const isText = typeof text === 'string' || typeof text === 'number';
      // A text node, or an element whose only child is a text: React makes no node of its own for that.
      if (isText && stateNode instanceof Node) texts.push(String(text));
      else collect(one.child);
    }
  };
  const top: Fiber = Reflect.get(root, key);
  collect(top.stateNode.current.child);
  const [shown, rendered] = [root.textContent ?? '', texts.join('')];
  if (shown === rendered) return null;
  let at = 0;
  while (shown[at] === rendered[at]) at += 1;
  at = Math.max(0, at - 30);
  return `shown “${shown.slice(at, at + 90)}”, rendered “${rendered.slice(at, at + 90)}”`;
}

/** Return the first text of a page that is not the one that React has rendered; null without one. */
export const staleTextOf = (page: Page): Promise<string | null> => page.evaluate(staleText);
