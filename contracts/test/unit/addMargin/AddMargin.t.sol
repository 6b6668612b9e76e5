// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Repaying debt of an open position.
contract AddMarginTest is VaultFixture {
    function test_add_margin_lowers_the_liquidation_price() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.addMargin(key, 50e6);
        assertEq(principalOf(key), 150e6, "principal");
        assertEq(vault.liquidationPriceOf(key), 2_725, "price");
        assertSolvent();
    }

    function test_addMargin_takes_no_more_than_is_owed() public {
        bytes32 key = open();
        skip(30 days);
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        uint256 before = usdc.balanceOf(alice);
        vm.startPrank(alice, alice);
        assertEq(vault.addMargin(key, 1_000_000e6), principal + fees, "capped");
        assertEq(before - usdc.balanceOf(alice), principal + fees, "paid");
        vm.expectRevert(IVault.NothingOwed.selector);
        vault.addMargin(key, 1);
        assertEq(vault.liquidationPriceOf(key), 0, "no debt, no price");
        vm.stopPrank();
        skip(365 days);
        (principal, fees) = vault.debtOf(key);
        assertEq(principal + fees, 0, "and none accrues");
    }

    function test_W6_pays_fees_before_principal() public {
        bytes32 key = open();
        skip(30 days);
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        vm.startPrank(alice, alice);
        assertEq(vault.addMargin(key, fees - 1), fees - 1, "a part of the fees");
        (uint256 principalLeft, uint256 feesLeft) = vault.debtOf(key);
        assertEq(principalLeft, principal, "no principal");
        assertEq(feesLeft, 1, "a unit of fees is left");
        vm.expectEmit();
        emit IVault.MarginAdded(key, alice, 49, 1);
        vault.addMargin(key, 50);
        vm.stopPrank();
        (principalLeft, feesLeft) = vault.debtOf(key);
        assertEq(principalLeft, principal - 49, "the rest repays principal");
        assertEq(feesLeft, 0, "no fee waits");
        assertSolvent();
    }

    /// @dev Fees can not outlive the loan: without principal no liquidation would ever collect them.
    function testFuzz_W6_leaves_no_fee_without_principal(uint256 elapsed, uint256 paid) public {
        bytes32 key = open();
        skip(bound(elapsed, 0, 3 * 365 days));
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        paid = bound(paid, 1, principal + fees);
        uint256 price = vault.liquidationPriceOf(key);
        vm.prank(alice, alice);
        assertEq(vault.addMargin(key, paid), paid, "taken");
        (uint256 principalLeft, uint256 feesLeft) = vault.debtOf(key);
        assertEq(principalLeft + feesLeft, principal + fees - paid, "nothing is lost");
        assertTrue(feesLeft == 0 || principalLeft == principal, "fees first");
        assertLe(vault.liquidationPriceOf(key), price, "and the price only falls");
        assertSolvent();
    }

    function test_margin_is_welcome_beside_a_liquidation_that_is_not_filled() public {
        bytes32 key = open();
        authorizeSale(key, IVault.Purpose.Liquidate, 600e6, 3_600);
        skip(61);
        vm.prank(alice, alice);
        vault.addMargin(key, 400e6);
        assertEq(principalOf(key), 0, "repaid");
        assertEq(vault.liquidationPriceOf(key), 0, "out of reach");
    }

    function test_margin_in_single_units_never_saves_fees() public {
        bytes32 slow = open();
        bytes32 busy = open(seeded(2), bob, 5_000);
        uint256 paid;
        for (uint256 i = 0; i < 20; ++i) {
            skip(1 hours);
            vm.prank(bob, bob);
            paid += vault.addMargin(busy, 1);
        }
        (uint256 slowPrincipal, uint256 slowFees) = vault.debtOf(slow);
        (uint256 busyPrincipal, uint256 busyFees) = vault.debtOf(busy);
        assertEq(busyPrincipal, slowPrincipal, "the units paid are fees");
        assertGe(busyFees + paid, slowFees, "rounding never favours the user");
        assertLe(busyFees + paid, slowFees + 20, "by a unit each time");
    }

    /// @dev Until the fill a repaid loan is a rescued one: there is nothing left that a fee could be taken on.
    function test_limit_margin_before_the_match_leaves_no_principal_for_the_fee() public {
        bytes32 key = open();
        IVenueExchange.Order memory o = authorizeSale(key, IVault.Purpose.Liquidate, 600e6, 3_600);
        vm.prank(alice, alice);
        vault.addMargin(key, 200e6);
        vm.recordLogs();
        fillWhole(o, 0);
        finalize(key);
        assertState(key, IVault.PositionState.Liquidated);
        assertEq(liquidationFeesEmitted(), 0, "the pool was whole before the sale");
        assertSolvent();
    }
}
