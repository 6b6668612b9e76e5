// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Vault} from "../../../src/Vault.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {ManagedFixture} from "../../fixtures/ManagedFixture.sol";

/// @notice A second ledger is whole and fits together, or there is none.
contract ManagedDeploymentTest is ManagedFixture {
    function refuse(Vault.Deployment memory d, bytes4 selector, address account) private {
        vm.expectRevert(abi.encodeWithSelector(selector, account));
        deployVault(d);
    }

    function test_takes_all_three_contracts_or_none() public {
        (address found, address foundRouter, address foundAggregator) = vault.managedContracts();
        assertEq(found, address(manager), "manager");
        assertEq(foundRouter, address(router), "router");
        assertEq(foundAggregator, address(aggregator), "aggregator");
        for (uint256 present = 0; present < 8; ++present) {
            Vault.Deployment memory d = deployment();
            if (present & 1 == 0) d.positionManager = address(0);
            if (present & 2 == 0) d.positionRouter = address(0);
            if (present & 4 == 0) d.oracleAggregator = address(0);
            if (present == 0 || present == 7) deployVault(d);
            else refuse(d, IVault.VenueWithoutCode.selector, address(0));
        }
    }

    function test_refuses_contracts_without_code() public {
        Vault.Deployment memory d = deployment();
        d.positionManager = stranger;
        refuse(d, IVault.VenueWithoutCode.selector, stranger);
        d = deployment();
        d.positionRouter = stranger;
        refuse(d, IVault.VenueWithoutCode.selector, stranger);
        d = deployment();
        d.oracleAggregator = stranger;
        refuse(d, IVault.VenueWithoutCode.selector, stranger);
    }

    function test_refuses_another_collateral_or_another_manager() public {
        Vault.Deployment memory d = deployment();
        mismatch(d, address(manager), "COLLATERAL_TOKEN()");
        mismatch(d, address(router), "COLLATERAL_TOKEN()");
        mismatch(d, address(router), "POSITION_MANAGER()");
        mismatch(d, address(aggregator), "POSITION_MANAGER()");
    }

    function mismatch(Vault.Deployment memory d, address account, string memory view_) private {
        vm.mockCall(account, abi.encodeWithSignature(view_), abi.encode(stranger));
        refuse(d, IVault.LedgerMismatch.selector, account);
        vm.clearMockedCalls();
    }
}
