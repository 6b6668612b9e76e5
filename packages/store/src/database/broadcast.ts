/** Channels between the processes of one service. */
export type Channel = 'outbox' | 'signals';

export interface Subscription {
  close(): Promise<void>;
}

/**
 * Messages to every process that listens now; none is stored. Facts that must not be lost are in a table, and a message
 * only says that it is worth reading.
 */
export interface Broadcast {
  publish(channel: Channel, message: string): Promise<void>;
  /**
   * Subscribe to a channel. `onMessage` gets each message, and null after every connection, because earlier messages
   * may be lost.
   */
  subscribe(channel: Channel, onMessage: (message: string | null) => void): Promise<Subscription>;
}
