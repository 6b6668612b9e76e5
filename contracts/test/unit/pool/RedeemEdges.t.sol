// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Edges of the way out that a change by one unit or share would move.
contract RedeemEdgesTest is VaultFixture {
    /// @dev Income makes the shares worth more than they may bring, so it is their cap alone that is kept free.
    function test_a_part_that_left_keeps_the_rest_of_its_cap_free() public {
        bytes32 key = open();
        uint256 shares = (pool.balanceOf(lp) * 9) / 10;
        vm.prank(lp, lp);
        assertEq(pool.requestRedeem(shares, 0), 450_000e6, "nine tenths");
        skip(365 days);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        skip(7 days);
        vm.prank(lp, lp);
        assertEq(pool.redeem(shares / 3, lp, lp), 150_000e6, "a third of the cap");
        assertEq(pool.redeemRequestOf(lp).capUsdcUnits, 300_000e6, "two thirds are left");
        assertEq(pool.freeLiquidity(), pool.bookOf().idleUsdcUnits - 300_000e6, "and kept free, no more and no less");
    }

    /// @dev The factor is no round figure: what is kept for all requests is rounded up, and each cap down.
    function test_keeps_the_caps_free_rounded_up_after_a_loss() public {
        bytes32 key = open(requestOf(seedOf(1), 20_000e6, 50_000), alice, 5_000);
        usdc.mint(bob, 100_000e6);
        vm.startPrank(bob, bob);
        usdc.approve(address(pool), 100_000e6);
        uint256 shares = pool.deposit(100_000e6, bob) / 3;
        pool.requestRedeem(shares, 0);
        vm.stopPrank();
        shares = (pool.balanceOf(lp) * 2) / 3 + 7;
        vm.prank(lp, lp);
        pool.requestRedeem(shares, 0);
        resolve(0, 1);
        vault.settle(key);
        uint256 caps = uint256(pool.redeemRequestOf(lp).capUsdcUnits) + pool.redeemRequestOf(bob).capUsdcUnits;
        assertLe(caps, 366_666e6 - 1, "both are lowered");
        uint256 reserved = pool.bookOf().idleUsdcUnits - pool.freeLiquidity();
        assertGe(reserved, caps, "all of both");
        assertLe(reserved, caps + 2, "and less than a unit more for each");
    }

    /// @dev The worth is below the cap, and above what is idle: it decides how many shares may leave.
    function test_after_a_loss_no_share_more_than_idle_pays_for_may_leave_and_none_fewer() public {
        bytes32 key = open(requestOf(seedOf(8), 40_000e6, 50_000), alice, 5_000);
        uint256 shares = pool.balanceOf(lp);
        vm.prank(lp, lp);
        pool.requestRedeem(shares, 0);
        vm.prank(guardian, guardian);
        vault.impair(key, true);
        skip(24 hours);
        uint256 idle = pool.bookOf().idleUsdcUnits;
        assertGe(pool.previewRedeem(shares), idle + 1, "not all of them");
        uint256 maximum = pool.maxRedeem(lp);
        assertEq(pool.previewRedeem(maximum), idle, "all that is idle");
        assertEq(pool.previewRedeem(maximum + 1), idle + 1, "one share more would bring more");
    }

    function test_a_redemption_is_emitted_with_its_caller_receiver_and_owner() public {
        uint256 shares = pool.balanceOf(lp) / 4;
        vm.startPrank(lp, lp);
        pool.requestRedeem(shares, 0);
        pool.approve(bob, shares);
        vm.stopPrank();
        skip(24 hours);
        vm.expectEmit();
        emit IERC4626.Withdraw(bob, alice, lp, 125_000e6, shares);
        vm.prank(bob, bob);
        pool.redeem(shares, alice, lp);
    }
}
