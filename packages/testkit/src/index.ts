export { type HttpFaultProxy, type HttpFaultRule, jsonRpcMethod, startHttpFaultProxy } from './httpFaultProxy.ts';
