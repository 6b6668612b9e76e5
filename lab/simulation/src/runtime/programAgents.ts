import { createRequire } from 'node:module';
import type { Dispatcher } from 'undici';
import { currentProgram, type Program } from './program.ts';

interface Undici {
  readonly Agent: new (options?: object) => Dispatcher;
  readonly setGlobalDispatcher: (agent: Dispatcher) => void;
}

/** Return the options with which an agent was made; it keeps them under a symbol of its own. */
function optionsOf(agent: Dispatcher): object {
  const key = Object.getOwnPropertySymbols(agent).find(({ description }) => description === 'options');
  const options: unknown = key === undefined ? undefined : Reflect.get(agent, key);
  if (typeof options !== 'object' || options === null) throw new Error('an agent of undici keeps no options');
  return options;
}

/**
 * Give each program its own connections of `fetch` and of every agent of undici, although the agents stand in modules
 * that the programs share.
 */
export function separateAgents(): void {
  const { Agent, setGlobalDispatcher }: Undici = createRequire(import.meta.url)('undici');
  const { dispatch } = Agent.prototype;
  const owned = new WeakMap<Program, Map<Dispatcher, Dispatcher>>();
  const ownOf = (program: Program, shared: Dispatcher): Dispatcher => {
    const agents = owned.get(program) ?? new Map<Dispatcher, Dispatcher>();
    owned.set(program, agents);
    const own = agents.get(shared) ?? new Agent(optionsOf(shared));
    agents.set(shared, own);
    return own;
  };
  Agent.prototype.dispatch = function dispatchAsProgram(
    this: Dispatcher,
    ...args: Parameters<typeof dispatch>
  ): boolean {
    const program = currentProgram();
    return dispatch.apply(program === undefined ? this : ownOf(program, this), args);
  };
  // Node's own `fetch` uses the agent that undici of the packages sets for the process.
  setGlobalDispatcher(new Agent());
}
