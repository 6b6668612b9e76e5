import { curlOf } from '@core/sdk';
import type { ActionCode } from '../drawer/ApiDrawer.tsx';

/** Return a request to the simulator's control as curl, and as the command line of the repository. */
export function controlCodeOf(path: 'clock' | 'scenarios', body: object): ActionCode {
  const url = new URL(`./venue/${path}`, document.baseURI).href;
  const headers = { 'content-type': 'application/json', origin: new URL(url).origin };
  return {
    curl: curlOf({ method: 'POST', url, headers, body: JSON.stringify(body) }),
    code: [
      `const answer = await fetch('${url}', {`,
      "  method: 'POST',",
      `  headers: ${JSON.stringify(headers)},`,
      `  body: JSON.stringify(${JSON.stringify(body)}),`,
      '});',
    ].join('\n'),
  };
}
