export {
  type HttpFaultProxy,
  type HttpFaultRule,
  jsonRpcMethod,
  startHttpFaultProxy,
  stillAt,
} from './httpFaultProxy.ts';
export { PoisonedItems, type PoisonKind, poisonKinds, servedBeside } from './poisonedItems.ts';
export { steadyStart, steadyTimeOfDay } from './steadyStart.ts';
