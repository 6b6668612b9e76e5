/** Channels between the processes of one service. */
export type Channel = 'outbox' | 'signals';

export interface Subscription {
  close(): Promise<void>;
}

/**
 * Messages to every process that listens now; none is kept for one that does not. What must not be lost stands in a
 * table, and a message only says that it is worth a look.
 */
export interface Broadcast {
  publish(channel: Channel, message: string): Promise<void>;
  /** Calls with each message, and with null after every connection: what was sent before may have been missed. */
  subscribe(channel: Channel, onMessage: (message: string | null) => void): Promise<Subscription>;
}
