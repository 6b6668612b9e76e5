/** Event; a text in its place, which has its number; or a text besides the events, which has none. */
export type ScriptedMessage = { readonly id: string } | { readonly text: string } | { readonly aside: string };

/**
 * Build the sockets of a service that sends one list of messages to everyone: a greeting, then all messages after the
 * resume position of the address, numbered from 1.
 */
export function scriptedSockets(messages: readonly ScriptedMessage[]) {
  let connectionCount = 0;
  class ScriptedSocket extends EventTarget {
    readonly OPEN = 1;
    readyState = 0;

    constructor(url: string | URL) {
      super();
      connectionCount += 1;
      const after = new URL(url).searchParams.get('resume_from');
      const from = messages.findIndex((message) => 'id' in message && message.id === after) + 1;
      queueMicrotask(() => this.#play(after, messages.slice(from)));
    }

    #play(after: string | null, rest: readonly ScriptedMessage[]): void {
      this.readyState = this.OPEN;
      this.dispatchEvent(new Event('open'));
      this.#say({ frame: 'connected', last_event_id: null });
      if (after === null) {
        this.#say({ frame: 'snapshot', positions: [null, 7, {}], last_event_id: null, has_more: false });
      }
      let seq = 0;
      for (const message of rest) {
        if ('aside' in message) this.#hear(message.aside);
        else {
          seq += 1;
          if ('text' in message) this.#hear(message.text);
          else this.#say({ frame: 'event', seq, id: message.id, type: 'position.updated', created_at: '', data: {} });
        }
      }
    }

    #say(frame: object): void {
      this.#hear(JSON.stringify(frame));
    }

    #hear(text: string): void {
      this.dispatchEvent(new MessageEvent('message', { data: text }));
    }

    send(): void {
      // Messages of the client are not part of the script.
    }

    close(): void {
      this.readyState = 3;
    }
  }
  // The client uses only these members of a socket.
  const socketClass: object = ScriptedSocket;
  return {
    WebSocket: socketClass as typeof WebSocket,
    connectionCount: () => connectionCount,
  };
}
