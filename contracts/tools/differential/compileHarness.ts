import { shippedSettings } from '../../local/compilation/compiler.ts';
import type { Artifact } from '../../local/compilation/readArtifact.ts';
import { contractsRoot } from '../../local/contractsRoot.ts';
import { compileSolidity } from '../project/compileSolidity.ts';

const source = 'tools/differential/DifferentialHarness.sol';
const name = 'DifferentialHarness';

/**
 * Compiles the contract that answers the vectors, with the compiler and settings that ship. The regular build leaves it
 * out, so that it cannot be deployed by accident.
 *
 * @throws Error with the compiler's own words when it does not compile.
 */
export function compileHarness(): Artifact {
  const outputSelection = { [source]: { [name]: ['abi', 'evm.bytecode.object'] } };
  const { contracts, errors } = compileSolidity({
    root: contractsRoot,
    source,
    settings: { ...shippedSettings, outputSelection },
  });
  const compiled = contracts?.[source]?.[name];
  const code = compiled?.evm?.bytecode?.object ?? '';
  if (compiled === undefined || code === '') {
    throw new Error(`${name} does not compile: ${errors?.map((one) => one.formattedMessage).join('\n')}`);
  }
  return { abi: compiled.abi, bytecode: `0x${code}` };
}
