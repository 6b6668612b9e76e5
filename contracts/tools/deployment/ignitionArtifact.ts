import type { Artifact } from '../../local/compilation/readArtifact.ts';

/**
 * Published code that links no library, in the form Ignition keeps of a deployment. It deploys an artifact of an older
 * form as well, but then refuses to resume.
 */
export function ignitionArtifactOf(contractName: string, artifact: Artifact) {
  return {
    _format: 'hh3-artifact-1',
    contractName,
    sourceName: `${contractName}.sol`,
    abi: artifact.abi,
    bytecode: artifact.bytecode,
    deployedBytecode: '0x',
    linkReferences: {},
    deployedLinkReferences: {},
  };
}
