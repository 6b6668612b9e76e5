export { type FixedClock, fixedClock } from './fixedClock.ts';
export {
  type HttpFault,
  type HttpFaultProxy,
  type HttpFaultRule,
  jsonRpcMethod,
  type ProxiedRequest,
  startHttpFaultProxy,
} from './httpFaultProxy.ts';
export { startTcpFaultProxy, type TcpFault, type TcpFaultProxy } from './tcpFaultProxy.ts';
