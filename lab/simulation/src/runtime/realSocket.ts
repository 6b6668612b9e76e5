import net from 'node:net';
import { expectConnection, reachingOut } from './leakWatch.ts';

/** The real `connect`: this module is loaded before it is replaced. */
const { connect } = net.Socket.prototype;

/** Return a socket to a real process on loopback, which connects when `connect` is called on it. */
export function realSocket(): net.Socket {
  const socket = reachingOut(() => new net.Socket());
  return Object.assign(socket, {
    connect: (...args: readonly unknown[]) => {
      expectConnection();
      return reachingOut(() => Reflect.apply(connect, socket, args));
    },
  });
}
