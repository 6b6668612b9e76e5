import type { Fault } from './fault.ts';

/** Share of the requests that carry a transaction. */
const share = 0.3;

/** The node takes transactions of keeper and filler, and its answer is lost. */
export const answersAreLost: Fault = ({ world, random, say }) => {
  const { node } = world.chain;
  node.onCalls = (calls, from) => {
    const isSending = calls.some(({ method }) => method === 'eth_sendRawTransaction');
    if (!isSending || !/^(keeper|filler)/.test(from) || !random.happens(share)) return 'answer';
    say(`fault: the node takes a transaction of the ${from}, and its answer is lost`);
    return 'lose';
  };
  return () => {
    node.onCalls = () => 'answer';
  };
};
