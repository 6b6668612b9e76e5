import { useEffect } from 'react';

/** Product name, at the end of every page title. */
export const productName = 'Lev';

/** Set the title of the page while the component is mounted. */
export function useTitle(text: string): void {
  useEffect(() => {
    document.title = text === '' ? productName : `${text} · ${productName}`;
  }, [text]);
}
