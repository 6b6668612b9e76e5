/** Version of the Solidity compiler; the catalog names the same one. */
export const compilerVersion = '0.8.37';

/** Settings of the shipped bytecode: every size and gas figure refers to it, and tests deploy it. */
export const shippedSettings = {
  optimizer: { enabled: true, runs: 200 },
  viaIR: true,
  evmVersion: 'cancun',
} as const;
