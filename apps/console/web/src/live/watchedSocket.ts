import { type Signal, signalOf } from './signal.ts';

/** Whether what the page shows is kept true by its sockets. */
export interface LinkState {
  /** True while a gateway that the page wants has no socket: it lost it, or never got one. */
  readonly isCut: boolean;
}

export const linkState: Signal<LinkState> = signalOf<LinkState>({ isCut: false });

/** Open sockets by gateway. An action that waits for its end has one of its own for a while. */
const openSockets = new Map<string, number>();

function count(gateway: string, change: 1 | 0 | -1): void {
  openSockets.set(gateway, (openSockets.get(gateway) ?? 0) + change);
  const isCut = [...openSockets.values()].includes(0);
  if (linkState.get().isCut !== isCut) linkState.set({ isCut });
}

/** The browser's socket, counted: the stream behind it heals by itself and says nothing of it. */
export class WatchedSocket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols);
    const { pathname: gateway } = new URL(url);
    let wasOpen = false;
    this.addEventListener('open', () => {
      wasOpen = true;
      count(gateway, 1);
    });
    this.addEventListener('close', () => {
      count(gateway, wasOpen ? -1 : 0);
      wasOpen = false;
    });
  }
}
