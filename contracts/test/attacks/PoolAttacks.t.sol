// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {VaultFixture} from "../fixtures/VaultFixture.sol";

/// @notice Attacks of providers on providers: each brings its author nothing. Two of them have the same shares over the
/// same time; a third one stays.
contract PoolAttacksTest is VaultFixture {
    address private first = address(0x0a0d);
    address private second = address(0x0a0e);
    uint256 private constant STAKE = 100_000e6;

    function setUp() public override {
        super.setUp();
        enter(first, STAKE);
        enter(second, STAKE);
    }

    // ------------------------------------------------------------ losses

    /// @dev V4: a loss that was known when the first could last choose costs both the same, in either order and
    /// whenever it is booked; and who leaves first is never better off, whatever comes of the loan.
    function testFuzz_V4_the_order_of_leaving_changes_nobodys_share(
        uint256 collateral,
        uint256 payout,
        uint256 bookedAt,
        bool askedBefore
    ) public {
        bytes32 key = open(requestOf(seedOf(1), bound(collateral, 1e6, 40_000e6), 50_000), alice, 5_000);
        payout = payout % 3 == 0 ? 0 : bound(payout >> 8, 0, 1_000);
        bookedAt = bound(bookedAt, 0, 2);
        if (askedBefore) askForAll();
        vm.prank(guardian, guardian);
        vault.impair(key, true);
        if (!askedBefore) askForAll();
        skip(24 hours);
        if (bookedAt == 0) bookLoss(key, payout);
        uint256 early = leave(first);
        if (bookedAt == 1) bookLoss(key, payout);
        uint256 late = leave(second);
        if (bookedAt == 2) bookLoss(key, payout);
        assertLe(early, late + 1, "no one gains by leaving first");
        bool lostAll = vault.positionOf(key).badDebtUsdcUnits == principalBefore(collateral);
        if (lostAll || bookedAt != 1) assertLe(late, early + 1, "and of a known loss each bears the same");
        assertSolvent();
    }

    function principalBefore(uint256 collateral) private pure returns (uint256) {
        return bound(collateral, 1e6, 40_000e6) * 4;
    }

    /// @dev The market has collapsed, no one buys, nothing is booked: who asks now bears the loss like the others.
    function test_attack_leaving_before_a_loss_that_everybody_sees() public {
        bytes32 key = open(requestOf(seedOf(1), 40_000e6, 50_000), alice, 5_000);
        vm.prank(guardian, guardian);
        vault.impair(key, true);
        vm.prank(first, first);
        uint256 cap = pool.requestRedeem(STAKE * 1e6, 0);
        // 160,000 USD are lost, the reserve bears 26,000 of them: a seventh of the rest falls on a seventh of the pool.
        assertEq(cap, STAKE - uint256(134_000e6) / 7 - 1, "its part of the loss, before anything is booked");
        skip(24 hours);
        uint256 early = leave(first);
        bookLoss(key, 0);
        vm.prank(second, second);
        pool.requestRedeem(STAKE * 1e6, 0);
        skip(24 hours);
        assertEq(leave(second), early, "the same a day later");
    }

    function test_attack_a_request_is_an_exit_for_later() public {
        vm.prank(first, first);
        pool.requestRedeem(STAKE * 1e6, 0);
        skip(24 hours);
        // It waits to see what happens; anyone sends it its whole cap and the choice is gone.
        vm.prank(second, second);
        pool.redeem(STAKE * 1e6, first, first);
        assertEq(usdc.balanceOf(first), STAKE, "all that it could ever have had");
    }

    function test_attack_the_guardian_cannot_make_others_leave_cheaply() public {
        bytes32 key = open(requestOf(seedOf(1), 40_000e6, 50_000), alice, 5_000);
        vm.prank(first, first);
        pool.requestRedeem(STAKE * 1e6, STAKE);
        skip(24 hours);
        vm.prank(guardian, guardian);
        vault.impair(key, true);
        vm.prank(second, second);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        pool.redeem(STAKE * 1e6, first, first);
        vm.prank(owner, owner);
        vault.impair(key, false);
        assertEq(leave(first), STAKE, "it waits until the loan is judged");
    }

    function test_attack_entering_while_impaired_and_leaving_when_cleared() public {
        bytes32 key = open(requestOf(seedOf(1), 40_000e6, 50_000), alice, 5_000);
        vm.prank(guardian, guardian);
        vault.impair(key, true);
        enter(bob, STAKE);
        vm.prank(first, first);
        uint256 cap = pool.requestRedeem(STAKE * 1e6, 0);
        vm.prank(owner, owner);
        vault.impair(key, false);
        assertLe(pool.convertToAssets(pool.balanceOf(bob)), STAKE, "who entered paid for the loan in full");
        skip(24 hours);
        uint256 assets = pool.totalAssets();
        assertEq(leave(first), cap, "who asked meanwhile has decided");
        assertGe(assets - cap, pool.totalAssets(), "what is left behind jumps into no share price");
        assertLe(pool.convertToAssets(pool.balanceOf(bob)), STAKE, "and can be caught by no deposit");
        assertSolvent();
    }

    // ------------------------------------------------------------ income

    /// @dev A borrower lends for the moment in which it pays, and so does a friend with all the money in the world.
    function test_attack_lending_for_the_moment_of_the_fee() public {
        bytes32 key = open(requestOf(seedOf(1), 20_000e6, 50_000), alice, 5_000);
        skip(365 days);
        uint256 paid = 10_000_000e6;
        enter(bob, paid);
        vm.prank(bob, bob);
        pool.requestRedeem(paid * 1e6, 0);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        skip(24 hours);
        assertLe(leave(bob), paid, "nothing of 6,400 USD");
        uint256 others = pool.totalAssets() + pool.bookOf().unreleasedUsdcUnits;
        assertGe(others, 700_000e6 + 6_400e6, "all of it is the others', now or soon");
        assertSolvent();
    }

    /// @dev Money that enters before a fee is paid and stays for the week of its release takes its part of it, however
    /// long the fee accrued before: twelve times the pool takes twelve thirteenths.
    function test_limit_entering_before_a_fee_and_staying_the_week_takes_a_part_of_it() public {
        bytes32 key = open(requestOf(seedOf(1), 40_000e6, 50_000), alice, 5_000);
        skip(60 days);
        uint256 stake = 9_000_000e6;
        enter(bob, stake);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        uint256 income = pool.bookOf().unreleasedUsdcUnits;
        assertGe(income, 2_100e6, "four fifths of sixty days on 160,000 USD");
        skip(7 days);
        uint256 shares = pool.balanceOf(bob);
        vm.prank(bob, bob);
        pool.requestRedeem(shares, 0);
        skip(24 hours);
        uint256 earned = leave(bob) - stake;
        assertLe(earned * 100, income * 93, "its part of the pool, 9,000,000 of 9,700,000 USD");
        assertGe(earned * 100, income * 92, "and no less");
        assertSolvent();
    }

    /// @dev Worth that a capped request leaves behind is released like any income: no deposit catches it.
    function test_attack_catching_what_a_capped_request_leaves() public {
        vm.prank(first, first);
        pool.requestRedeem(STAKE * 1e6, 0);
        bytes32 key = open(requestOf(seedOf(1), 40_000e6, 50_000), alice, 5_000);
        skip(365 days);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        skip(7 days);
        uint256 before = pool.previewRedeem(1e18);
        enter(bob, 10_000_000e6);
        uint256 shares = pool.balanceOf(bob);
        assertEq(leave(first), STAKE, "the cap");
        assertLe(pool.previewRedeem(1e18), before + 1, "no jump");
        vm.prank(bob, bob);
        pool.requestRedeem(shares, 0);
        skip(24 hours);
        assertLe(leave(bob), 10_000_000e6, "nothing to catch");
        assertSolvent();
    }

    /// @dev Asking again averages the caps: it never brings more than all caps nor than its worth, and never more than
    /// staying.
    function testFuzz_attack_asking_again_for_a_better_cap(uint256 part, uint256 elapsed, uint256 collateral) public {
        part = bound(part, 1, STAKE * 1e6 - 1);
        vm.prank(first, first);
        uint256 caps = pool.requestRedeem(part, 0);
        bytes32 earning = open(requestOf(seedOf(1), 10_000e6, 50_000), alice, 5_000);
        bytes32 losing = open(requestOf(seedOf(2), bound(collateral, 1e6, 20_000e6), 50_000), alice, 5_000);
        skip(bound(elapsed, 0, 365 days));
        vm.prank(alice, alice);
        vault.exitByRepaying(earning, alice);
        skip(7 days);
        vm.prank(first, first);
        caps += pool.requestRedeem(STAKE * 1e6 - part, 0);
        bookLoss(losing, 0);
        skip(24 hours);
        uint256 worth = pool.previewRedeem(STAKE * 1e6);
        uint256 got = leave(first);
        assertLe(got, caps, "at most the caps");
        assertLe(got, worth, "at most the worth");
        assertLe(got, pool.previewRedeem(pool.balanceOf(second)) + 1, "no better than who stayed");
    }

    // ------------------------------------------------------------ donations

    function test_attack_donations_move_no_price() public {
        bytes32 key = open(requestOf(seedOf(1), 40_000e6, 50_000), alice, 5_000);
        vm.prank(guardian, guardian);
        vault.impair(key, true);
        (uint256 exit, uint256 entry) = (pool.previewRedeem(1e18), pool.previewMint(1e18));
        usdc.mint(address(pool), 1_000_000e6);
        assertEq(pool.previewRedeem(1e18), exit, "exit price");
        assertEq(pool.previewMint(1e18), entry, "entry price");
        // A donation to the reserve helps those who leave amid a loss, and makes entering no cheaper.
        fundPool(0, 1_000e6);
        assertGe(pool.previewRedeem(1e18), exit, "exit price");
        assertEq(pool.previewMint(1e18), entry, "entry price");
    }

    // ------------------------------------------------------------ steps

    function enter(address who, uint256 usdcUnits) private {
        usdc.mint(who, usdcUnits);
        vm.startPrank(who, who);
        usdc.approve(address(pool), usdcUnits);
        pool.deposit(usdcUnits, who);
        usdc.transfer(stranger, usdc.balanceOf(who));
        vm.stopPrank();
    }

    function askForAll() private {
        vm.prank(first, first);
        pool.requestRedeem(STAKE * 1e6, 0);
        vm.prank(second, second);
        pool.requestRedeem(STAKE * 1e6, 0);
    }

    function leave(address who) private returns (uint256 usdcUnits) {
        uint256 shares = pool.redeemRequestOf(who).shares;
        vm.prank(who, who);
        usdcUnits = pool.redeem(shares, who, who);
        assertEq(pool.redeemRequestOf(who).shares, 0, "all out");
    }

    function bookLoss(bytes32 key, uint256 payout) private {
        resolve(payout, 1_000 - payout);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
    }
}
