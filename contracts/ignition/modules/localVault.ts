import { buildModule } from '@nomicfoundation/hardhat-ignition/modules';
import { ignitionArtifactOf } from '../../deployment/ignitionArtifact.ts';
import { localRoles } from '../../local/localAccounts.ts';
import { conditionalTokensArtifact } from '../../local/readArtifact.ts';
import { defaultPoolParameters } from '../../local/vaultDeployment.ts';

/**
 * The same as `vault.ts` for a chain that has nothing: TestUsdc, the real ConditionalTokens and the local exchange are
 * deployed first. Roles are the accounts of the public test mnemonic, as in `deployLocal`.
 */
const localVaultModule = buildModule('LocalVault', (m) => {
  const roles = localRoles();
  const usdc = m.contract('TestUsdc');
  const conditionalTokens = m.contract(
    'ConditionalTokens',
    ignitionArtifactOf('ConditionalTokens', conditionalTokensArtifact()),
  );
  const exchange = m.contract('VenueExchange', [
    usdc,
    conditionalTokens,
    roles.owner.address,
    roles.venueOperator.address,
    roles.venueFeeRecipient.address,
  ]);
  const orderRules = m.library('OrderRules');
  const vault = m.contract(
    'Vault',
    [
      {
        owner: roles.owner.address,
        guardian: roles.guardian.address,
        treasury: roles.treasury.address,
        quoteSigner: roles.quoteSigner.address,
        priceSigners: [roles.priceSigner.address, roles.priceSignerStandby.address],
        keepers: [roles.keeper.address, roles.keeperStandby.address],
        oracles: [roles.oracle.address],
        builders: [],
        usdc,
        conditionalTokens,
        ctfCollateral: usdc,
        redeemer: conditionalTokens,
        exchange,
        poolParameters: { ...defaultPoolParameters },
      },
    ],
    { libraries: { OrderRules: orderRules } },
  );
  return { usdc, conditionalTokens, exchange, orderRules, vault };
});

export default localVaultModule;
