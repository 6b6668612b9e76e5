// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IncomeRelease} from "../../../src/libraries/IncomeRelease.sol";
import {ILiquidityPool} from "../../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Income of the providers, on its way into the share price.
contract IncomeTest is VaultFixture {
    using IncomeRelease for IncomeRelease.Income;

    /// @dev A year of lifetime fees on 200 USD at 10 %, of which four fifths are the providers'.
    uint256 private constant EARNED = 16e6;

    function test_fees_reach_the_share_price_evenly_in_seven_days() public {
        earn(1);
        assertEq(pool.totalAssets(), 500_000e6, "none at once");
        assertEq(pool.bookOf().unreleasedUsdcUnits, EARNED, "all to come");
        assertEq(pool.bookOf().idleUsdcUnits, 500_000e6 + EARNED, "though it is here");
        skip(42 hours);
        assertEq(pool.totalAssets(), 500_000e6 + EARNED / 4, "a quarter");
        skip(42 hours);
        assertEq(pool.totalAssets(), 500_000e6 + EARNED / 2, "a half");
        skip(84 hours - 1);
        assertEq(pool.bookOf().unreleasedUsdcUnits, EARNED / 7 days + 1, "what is left is rounded up");
        skip(1);
        assertEq(pool.totalAssets(), 500_000e6 + EARNED, "all of it");
        assertSolvent();
    }

    function test_new_income_joins_what_is_left_of_the_old() public {
        earn(1);
        skip(84 hours);
        // Half of the old 16 USD is left for half a week; 16 new ones for a whole: five sixths of a week for 24.
        earnAtOnce(2);
        assertEq(pool.bookOf().unreleasedUsdcUnits, EARNED / 2 + EARNED, "both to come");
        assertEq(pool.totalAssets(), 500_000e6 + EARNED / 2, "nothing jumps");
        skip(70 hours);
        assertEq(pool.bookOf().unreleasedUsdcUnits, (EARNED * 3) / 4, "half of it in half the time");
        skip(70 hours);
        assertEq(pool.totalAssets(), 500_000e6 + 2 * EARNED, "all of it");
    }

    /// @dev Fees of which the owner of a position pays a unit at a time.
    function test_units_of_income_neither_hold_back_nor_hurry_what_is_coming() public {
        bytes32 key = open(seeded(9), alice, 5_000);
        earn(1);
        skip(84 hours);
        for (uint256 i = 0; i < 50; ++i) {
            vm.prank(alice, alice);
            vault.addMargin(key, 1);
        }
        assertGe(pool.bookOf().unreleasedUsdcUnits, EARNED / 2 + 50, "fifty units more");
        skip(84 hours + 1 minutes);
        assertEq(pool.bookOf().unreleasedUsdcUnits, 0, "and a minute later at most");
    }

    function test_liquidation_fees_fill_the_reserve_first_and_recoveries_too() public {
        ILiquidityPool.Parameters memory p = pool.parametersOf();
        (p.reserveTargetBps, p.originationReserveBps) = (600, 10_000);
        vm.prank(owner, owner);
        pool.setParameters(p);
        bytes32 key = open();
        uint256 reserve = pool.bookOf().reserveUsdcUnits;
        sell(key, IVault.Purpose.Liquidate, 600e6, 3_600);
        assertEq(pool.bookOf().reserveUsdcUnits, reserve + 2e6, "1 % of 200 USD");
        assertEq(pool.bookOf().unreleasedUsdcUnits, 0, "no income below the target");
        bytes32 lost = open(seeded(2), alice, 5_000);
        resolve(0, 1);
        vault.settle(lost);
        reserve = pool.bookOf().reserveUsdcUnits;
        usdc.mint(vault.accountOf(lost), 200e6);
        vault.claim(lost);
        assertEq(pool.bookOf().reserveUsdcUnits, reserve + 200e6, "a recovery below the target");
        p.reserveTargetBps = 0;
        vm.prank(owner, owner);
        pool.setParameters(p);
    }

    /// @dev A deposit between the loss and the late money takes nothing of it but what it stays for.
    function test_late_recoveries_are_income() public {
        bytes32 lost = open();
        resolve(0, 1);
        vault.settle(lost);
        fundPool(0, 30_000e6);
        uint256 assets = pool.totalAssets();
        usdc.mint(bob, 500_000e6);
        vm.startPrank(bob, bob);
        usdc.approve(address(pool), type(uint256).max);
        uint256 shares = pool.deposit(500_000e6, bob);
        usdc.mint(vault.accountOf(lost), 200e6);
        vault.claim(lost);
        assertEq(pool.totalAssets(), assets + 500_000e6, "no jump");
        assertEq(pool.bookOf().unreleasedUsdcUnits, 200e6, "to be released");
        pool.requestRedeem(shares, 0);
        skip(24 hours);
        assertLe(pool.redeem(shares, bob, bob), 500_000e6, "nothing of it");
        vm.stopPrank();
        assertSolvent();
    }

    function test_the_last_share_leaves_and_the_first_enters_amid_income() public {
        earn(1);
        uint256 shares = pool.balanceOf(lp);
        vm.startPrank(lp, lp);
        pool.requestRedeem(shares, 0);
        skip(3 days);
        uint256 reserve = pool.bookOf().reserveUsdcUnits;
        assertEq(pool.redeem(shares, lp, lp), 500_000e6, "what it was worth when asked for");
        vm.stopPrank();
        ILiquidityPool.Book memory book = pool.bookOf();
        assertEq(book.reserveUsdcUnits, reserve + EARNED, "what no share owns takes losses");
        assertEq(uint256(book.idleUsdcUnits) + book.unreleasedUsdcUnits, 0, "nothing is left to no one");
        assertEq(pool.totalAssets(), 0, "nor counted");
        usdc.mint(bob, 1_000e6);
        vm.startPrank(bob, bob);
        usdc.approve(address(pool), type(uint256).max);
        assertEq(pool.deposit(1_000e6, bob), 1_000e12, "a new beginning at one for one");
        skip(7 days);
        assertEq(pool.convertToAssets(1_000e12), 1_000e6, "without a windfall");
        vm.stopPrank();
        assertSolvent();
    }

    /// @dev A loan outlives its last provider, whose cap left it behind; its money and its fee are no share's.
    function test_what_comes_back_to_a_pool_without_shares_takes_losses() public {
        bytes32 key = open();
        bytes32 large = open(requestOf(seedOf(5), 5_000e6, 50_000), alice, 5_000);
        uint256 shares = pool.balanceOf(lp);
        vm.prank(lp, lp);
        pool.requestRedeem(shares, 0);
        skip(365 days);
        vm.prank(alice, alice);
        vault.exitByRepaying(large, alice);
        uint256 reserve = pool.bookOf().reserveUsdcUnits;
        vm.prank(lp, lp);
        assertEq(pool.redeem(shares, lp, lp), 500_000e6, "the last one is paid in full");
        assertEq(pool.totalAssets(), 200e6, "a loan is out");
        assertEq(pool.bookOf().reserveUsdcUnits - reserve, 1_600e6 - 200e6, "the rest of a year on 20,000 USD");
        reserve = pool.bookOf().reserveUsdcUnits;
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertEq(pool.bookOf().reserveUsdcUnits - reserve, 200e6 + EARNED, "loan and fee take losses");
        assertEq(pool.bookOf().idleUsdcUnits, 0, "nothing idle is left to no one");
        assertEq(pool.totalAssets(), 0, "nothing is left");
        assertSolvent();
    }

    // ------------------------------------------------------------ the arithmetic

    function testFuzz_release_is_even_never_early_and_never_more(
        uint256 usdcUnits,
        uint256 span,
        uint256 elapsed
    ) public pure {
        IncomeRelease.Income memory income;
        income.usdcUnits = bound(usdcUnits, 0, type(uint64).max);
        income.since = 1_800_000_000;
        span = bound(span, 1, 7 days);
        income.until = income.since + span;
        elapsed = bound(elapsed, 0, span - 1);
        uint256 now_ = income.unreleased(income.since + elapsed);
        assertEq(income.unreleased(income.since), income.usdcUnits, "all at first");
        assertEq(income.unreleased(income.until), 0, "none in the end");
        assertLe(income.unreleased(income.since + elapsed + 1), now_, "ever less");
        uint256 released = income.usdcUnits - now_;
        assertLe(released * span, income.usdcUnits * elapsed, "never early");
        assertLe(income.usdcUnits * elapsed, (released + 1) * span, "less than a unit late");
    }

    function testFuzz_joining_keeps_the_sum_and_the_time(
        uint256 first,
        uint256 second,
        uint256 elapsed
    ) public pure {
        IncomeRelease.Income memory none;
        first = bound(first, 1, 1e15);
        second = bound(second, 1, 1e15);
        elapsed = bound(elapsed, 0, 8 days);
        uint256 time = 1_800_000_000;
        IncomeRelease.Income memory old = none.add(first, time);
        assertEq(old.until - time, 7 days, "alone it takes seven days");
        IncomeRelease.Income memory both = old.add(second, time + elapsed);
        uint256 left = old.unreleased(time + elapsed);
        assertEq(both.usdcUnits, left + second, "nothing lost, nothing made");
        assertEq(both.unreleased(time + elapsed), left + second, "nothing released by joining");
        assertLe(both.until, time + elapsed + 7 days, "never beyond seven days");
        assertGe(both.until, elapsed < 7 days ? old.until : both.until, "never before the old one's end");
    }

    /// @dev A position pays a year of fees and is gone.
    function earn(uint128 number) private {
        bytes32 key = open(seeded(number), alice, 5_000);
        skip(365 days);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
    }

    /// @dev The same income now, from a donation to a lost position: a recovery above the reserve's target.
    function earnAtOnce(uint128 number) private {
        bytes32 key = open(seeded(number), alice, 5_000);
        resolve(0, 1);
        vault.settle(key);
        fundPool(0, 25_000e6);
        usdc.mint(vault.accountOf(key), EARNED);
        vault.claim(key);
    }
}
