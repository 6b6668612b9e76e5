// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ILiquidityPool} from "../../../src/interfaces/ILiquidityPool.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice The way out of the pool: a request that is a decision, a day, and the lower of cap and worth.
contract RedeemTest is VaultFixture {
    function test_a_request_escrows_caps_and_starts_the_time_again() public {
        uint256 shares = pool.balanceOf(lp);
        vm.startPrank(lp, lp);
        vm.expectRevert(ILiquidityPool.NoShares.selector);
        pool.requestRedeem(0, 0);
        bytes memory tooLittle = abi.encodeWithSelector(
            ILiquidityPool.WorthBelowMinimum.selector,
            250_000e6,
            250_000e6 + 1
        );
        vm.expectRevert(tooLittle);
        pool.requestRedeem(shares / 2, 250_000e6 + 1);
        assertEq(pool.requestRedeem(shares / 2, 250_000e6), 250_000e6, "worth at least as much");
        skip(12 hours);
        pool.requestRedeem(shares / 4, 0);
        ILiquidityPool.RedeemRequest memory request = pool.redeemRequestOf(lp);
        assertEq(request.maturesAt, block.timestamp + 24 hours, "the time starts again, for all of them");
        assertEq(request.shares, shares / 2 + shares / 4, "added");
        assertEq(request.capUsdcUnits, 375_000e6, "each with its own worth");
        assertEq(pool.requestedShares(), request.shares, "escrow");
        skip(24 hours - 1);
        assertEq(pool.maxRedeem(lp), 0, "not yet");
        vm.expectRevert(abi.encodeWithSelector(ERC4626.ERC4626ExceededMaxRedeem.selector, lp, 1, 0));
        pool.redeem(1, lp, lp);
        skip(1);
        assertEq(pool.maxRedeem(lp), request.shares, "now");
        vm.expectRevert(ILiquidityPool.NoShares.selector);
        pool.redeem(0, lp, lp);
        skip(300 days);
        assertEq(pool.maxRedeem(lp), request.shares, "and it does not lapse");
        assertEq(pool.redeem(request.shares, lp, lp), 375_000e6, "to the unit");
        assertEq(pool.requestedShares(), 0, "nothing in escrow");
        vm.stopPrank();
        assertSolvent();
    }

    function test_every_number_of_shares_can_be_asked_for() public {
        vm.startPrank(lp, lp);
        uint256 shares = pool.balanceOf(lp);
        vm.expectRevert(
            abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientBalance.selector,
                lp,
                shares,
                uint256(type(uint128).max) + 1
            )
        );
        pool.requestRedeem(uint256(type(uint128).max) + 1, 0);
        pool.requestRedeem(1, 0);
        skip(24 hours);
        assertEq(pool.redeem(1, lp, lp), 0, "a millionth of a unit is worth none");
        vm.stopPrank();
        assertEq(pool.totalSupply(), shares - 1, "and is gone");
    }

    function test_withdraw_is_off() public {
        uint256 shares = pool.balanceOf(lp);
        vm.startPrank(lp, lp);
        pool.requestRedeem(shares, 0);
        skip(24 hours);
        assertEq(pool.maxWithdraw(lp), 0, "always");
        vm.expectRevert(abi.encodeWithSelector(ERC4626.ERC4626ExceededMaxWithdraw.selector, lp, 1, 0));
        pool.withdraw(1, lp, lp);
        vm.expectRevert(abi.encodeWithSelector(ERC4626.ERC4626ExceededMaxWithdraw.selector, lp, 0, 0));
        pool.withdraw(0, lp, lp);
        vm.stopPrank();
    }

    function test_spenders_of_an_allowance_and_strangers() public {
        uint256 shares = pool.balanceOf(lp);
        vm.startPrank(lp, lp);
        pool.requestRedeem(shares, 0);
        skip(24 hours);
        pool.approve(bob, shares / 2);
        vm.stopPrank();
        bytes memory refusal = abi.encodeWithSelector(
            IERC20Errors.ERC20InsufficientAllowance.selector,
            stranger,
            0,
            shares
        );
        vm.prank(stranger, stranger);
        vm.expectRevert(refusal);
        pool.redeem(shares, stranger, lp);
        vm.startPrank(bob, bob);
        pool.redeem(shares / 2, bob, lp);
        assertEq(pool.allowance(lp, bob), 0, "spent");
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        pool.redeem(shares / 2, bob, lp);
        vm.stopPrank();
        assertSolvent();
    }

    /// @dev More than the cap a request never brings, so to be sent all of it takes nothing from its owner; without it
    /// a request that waits would be an exit at any later moment.
    function test_anyone_sends_a_whole_request_to_its_owner_for_its_whole_cap() public {
        uint256 shares = pool.balanceOf(lp) / 2;
        vm.prank(lp, lp);
        pool.requestRedeem(shares, 0);
        vm.startPrank(stranger, stranger);
        vm.expectPartialRevert(ERC4626.ERC4626ExceededMaxRedeem.selector);
        pool.redeem(shares, lp, lp);
        skip(24 hours);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        pool.redeem(shares - 1, lp, lp);
        vm.stopPrank();
        uint256 id = vm.snapshotState();
        bytes32 key = open(requestOf(seedOf(1), 10_000e6, 50_000), alice, 5_000);
        vm.prank(guardian, guardian);
        vault.impair(key, true);
        vm.prank(stranger, stranger);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        pool.redeem(shares, lp, lp);
        vm.revertToState(id);
        uint256 before = usdc.balanceOf(lp);
        vm.prank(stranger, stranger);
        assertEq(pool.redeem(shares, lp, lp), 250_000e6, "the whole cap");
        assertEq(usdc.balanceOf(lp) - before, 250_000e6, "to the owner");
        assertSolvent();
    }

    function test_leaving_is_limited_by_idle_and_lending_leaves_it_room() public {
        bytes32 key = open(requestOf(seedOf(8), 40_000e6, 50_000), alice, 5_000);
        uint256 shares = pool.balanceOf(lp);
        vm.startPrank(lp, lp);
        pool.requestRedeem(shares, 0);
        assertEq(pool.freeLiquidity(), 0, "what they may bring is not lent");
        skip(24 hours);
        uint256 maximum = pool.maxRedeem(lp);
        uint256 id = vm.snapshotState();
        vm.expectRevert(abi.encodeWithSelector(ERC4626.ERC4626ExceededMaxRedeem.selector, lp, maximum + 1, maximum));
        pool.redeem(maximum + 1, lp, lp);
        vm.revertToState(id);
        assertEq(pool.redeem(maximum, lp, lp), 340_000e6, "all that is idle, and not a unit less");
        assertEq(pool.bookOf().idleUsdcUnits, 0, "all idle money is out");
        assertEq(pool.maxRedeem(lp), shares / 500_000e6, "what brings less than a unit may still go");
        vm.stopPrank();
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        vm.startPrank(lp, lp);
        assertEq(pool.redeem(pool.maxRedeem(lp), lp, lp), 160_000e6 - 1, "the rest with the loan, rounded down");
        vm.stopPrank();
        assertSolvent();
    }

    function test_a_loss_after_asking_is_borne_and_a_gain_is_not_shared() public {
        uint256 shares = pool.balanceOf(lp) / 2;
        vm.prank(lp, lp);
        pool.requestRedeem(shares, 0);
        uint256 id = vm.snapshotState();
        bytes32 key = create(requestOf(seedOf(8), 20_000e6, 50_000), alice);
        fillWhole(authorizeOpen(key, 8_000), 0);
        finalize(key);
        resolve(0, 1);
        vault.settle(key);
        skip(24 hours);
        // 80,000 USD are lost, the reserve of 25,000 bears the first of them; origination put 500 more into it.
        uint256 loss = 80_000e6 - 25_000e6;
        vm.prank(lp, lp);
        uint256 paid = pool.redeem(shares, lp, lp);
        assertGe(paid, 250_000e6 - loss / 2, "half of the loss");
        assertLe(paid, 250_000e6 - (loss - 1_000e6) / 2, "and not less");
        assertEq(pool.bookOf().unreleasedUsdcUnits, 0, "nothing was left behind");
        vm.revertToState(id);
        key = open();
        skip(365 days);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        skip(7 days);
        assertEq(pool.previewRedeem(shares), 250_008e6 - 1, "16 USD of fees, floor");
        vm.prank(lp, lp);
        assertEq(pool.redeem(shares, lp, lp), 250_000e6, "the cap");
        assertEq(pool.bookOf().unreleasedUsdcUnits, 8e6 - 1, "what they earned since they asked is the others'");
        assertEq(pool.totalAssets(), 250_008e6 + 1, "at no jump of the price");
        skip(7 days);
        assertEq(pool.totalAssets(), 250_016e6, "released like any income");
        assertSolvent();
    }

    function test_a_request_of_less_than_a_unit_keeps_nothing_from_being_lent() public {
        ILiquidityPool.Parameters memory p = pool.parametersOf();
        p.utilisationBps = 10_000;
        p.totalCapUsdcUnits = type(uint64).max;
        vm.prank(owner, owner);
        pool.setParameters(p);
        uint256 free = pool.freeLiquidity();
        vm.startPrank(lp, lp);
        pool.requestRedeem(1, 0);
        assertEq(pool.freeLiquidity(), free, "it brings nothing");
        pool.requestRedeem(1e6, 0);
        assertEq(pool.freeLiquidity(), free - 1, "a unit is kept free");
        vm.stopPrank();
    }

    /// @dev In parts or at once, with a cap above or below the worth: never more in parts, and less by rounding only.
    function testFuzz_parts_bring_what_the_whole_does(uint256 shares, uint256 part, uint256 elapsed) public {
        shares = bound(shares, 1, pool.balanceOf(lp));
        part = bound(part, 1, shares);
        // Lent before it is asked for: what is asked for is not lent any more.
        bytes32 key = open();
        vm.prank(lp, lp);
        pool.requestRedeem(shares, 0);
        skip(1 days + bound(elapsed, 0, 3 * 365 days));
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        skip(3 days);
        uint256 id = vm.snapshotState();
        vm.prank(lp, lp);
        uint256 whole = pool.redeem(shares, lp, lp);
        vm.revertToState(id);
        vm.startPrank(lp, lp);
        uint256 parts = pool.redeem(part, lp, lp);
        if (part != shares) parts += pool.redeem(shares - part, lp, lp);
        vm.stopPrank();
        assertLe(parts, whole, "never more");
        assertGe(parts + 1, whole, "rounded for the pool");
        assertSolvent();
    }

    /// @dev The max functions are exact after a loss and with little idle cash.
    function testFuzz_max_functions_are_exact_after_losses_and_with_little_idle(
        uint256 collateral,
        uint256 payout,
        uint256 shares
    ) public {
        collateral = bound(collateral, 1e6, 46_000e6);
        payout = bound(payout, 0, 1);
        shares = bound(shares, 1e12, pool.balanceOf(lp));
        open(requestOf(seedOf(1), 3_000e6, 50_000), bob, 5_000);
        bytes32 key = open(requestOf(seedOf(2), collateral, 50_000), alice, 5_000);
        skip(1 days);
        vm.prank(lp, lp);
        pool.requestRedeem(shares, 0);
        resolve(payout, 1 - payout);
        vault.settle(key);
        skip(24 hours);
        uint256 maximum = pool.maxRedeem(lp);
        ILiquidityPool.RedeemRequest memory request = pool.redeemRequestOf(lp);
        uint256 part = (request.capUsdcUnits * maximum) / request.shares;
        uint256 worth = pool.previewRedeem(maximum);
        uint256 id = vm.snapshotState();
        vm.startPrank(lp, lp);
        assertEq(pool.redeem(maximum, lp, lp), part < worth ? part : worth, "redeem");
        vm.revertToState(id);
        vm.expectPartialRevert(ERC4626.ERC4626ExceededMaxRedeem.selector);
        pool.redeem(maximum + 1, lp, lp);
        vm.stopPrank();
    }
}
