import { buildModule } from '@nomicfoundation/hardhat-ignition/modules';
import { conditionalTokensArtifact } from '../../local/compilation/readArtifact.ts';
import { localRoles } from '../../local/localAccounts.ts';
import { defaultPoolParameters } from '../../local/vaultDeployment.ts';
import { ignitionArtifactOf } from '../../tools/deployment/ignitionArtifact.ts';
import { vaultLibrariesOf } from '../vaultLibraries.ts';

/**
 * The same as `vault.ts` for a chain that has nothing: TestUsdc, the real ConditionalTokens, the local exchange and the
 * twins of the venue's second ledger are deployed first. Roles are the accounts of the public test mnemonic, as in
 * `deployLocal`.
 */
const localVaultModule = buildModule('LocalVault', (m) => {
  const roles = localRoles();
  const usdc = m.contract('TestUsdc');
  const conditionalTokens = m.contract(
    'ConditionalTokens',
    ignitionArtifactOf('ConditionalTokens', conditionalTokensArtifact()),
  );
  const exchange = m.contract('VenueExchange', [
    {
      collateral: usdc,
      conditionalTokens,
      ctfCollateral: usdc,
      outcomeTokenFactory: conditionalTokens,
      owner: roles.owner.address,
      operator: roles.venueOperator.address,
      feeReceiver: roles.venueFeeRecipient.address,
    },
  ]);
  const positionManager = m.contract('TwinPositionManager', [usdc]);
  const oracleAggregator = m.contract('TwinOracleAggregator', [positionManager]);
  const positionRouter = m.contract('TwinPositionRouter', [positionManager]);
  const binaryModule = m.contract('TwinBinaryModule', [positionManager, oracleAggregator]);
  m.call(positionManager, 'addModule', [1n, binaryModule]);
  const vault = m.contract(
    'Vault',
    [
      {
        owner: roles.owner.address,
        guardian: roles.guardian.address,
        treasury: roles.treasury.address,
        quoteSigner: roles.quoteSigner.address,
        priceSigners: [roles.priceSigner.address, roles.secondPriceSigner.address],
        priceThreshold: 2n,
        keepers: [roles.keeper.address, roles.keeperStandby.address],
        oracles: [roles.oracle.address],
        builders: [],
        exchange,
        positionManager,
        positionRouter,
        oracleAggregator,
        poolParameters: { ...defaultPoolParameters },
      },
    ],
    { libraries: vaultLibrariesOf(m) },
  );
  const pairFiller = m.contract('PairFiller', [vault]);
  return { usdc, conditionalTokens, exchange, positionManager, positionRouter, oracleAggregator, vault, pairFiller };
});

export default localVaultModule;
