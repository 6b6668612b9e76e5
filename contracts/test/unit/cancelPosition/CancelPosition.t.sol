// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Leaving before anything was bought.
contract CancelPositionTest is VaultFixture {
    function test_cancel_before_any_order_refunds_everything() public {
        uint256 before = usdc.balanceOf(alice);
        bytes32 key = create();
        vm.prank(alice, alice);
        vault.cancelPosition(key);
        assertState(key, IVault.PositionState.Cancelled);
        assertEq(usdc.balanceOf(alice), before, "all of it");
        assertSolvent();
    }
}
