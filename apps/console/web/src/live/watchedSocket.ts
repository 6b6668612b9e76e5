import { type Signal, signalOf } from './signal.ts';

/** State of the page's socket connections. */
export interface LinkState {
  /** True while the browser is offline or a required gateway has no socket: it was lost, or never opened. */
  readonly isDisconnected: boolean;
}

export const linkState: Signal<LinkState> = signalOf<LinkState>({ isDisconnected: false });

/** Number of open sockets by gateway. An action that awaits its end has a temporary one of its own. */
const openSockets = new Map<string, number>();

function count(gateway: string, change: 1 | 0 | -1): void {
  openSockets.set(gateway, (openSockets.get(gateway) ?? 0) + change);
  update();
}

function update(): void {
  const isDisconnected = !navigator.onLine || [...openSockets.values()].includes(0);
  if (linkState.get().isDisconnected !== isDisconnected) linkState.set({ isDisconnected });
}

globalThis.addEventListener('online', update);
globalThis.addEventListener('offline', update);

/** WebSocket that counts open connections. The stream behind it reconnects without any notification. */
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
