// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Edges of the pool's book that a change by one unit would move, and what its refusals and events say.
contract PoolEdgesTest is VaultFixture {
    function setReserve(uint16 targetBps, uint16 originationBps) private {
        ILiquidityPool.Parameters memory p = pool.parametersOf();
        (p.reserveTargetBps, p.originationReserveBps) = (targetBps, originationBps);
        vm.prank(owner, owner);
        pool.setParameters(p);
    }

    /// @dev Its word carries the times from the start, so that no booking pays for the first use of it.
    function test_a_new_pool_has_written_that_it_has_no_income() public view {
        uint256 none = (block.timestamp << 192) | (block.timestamp << 224);
        uint256 found;
        for (uint256 slot = 0; slot < 32; ++slot) {
            if (uint256(vm.load(address(pool), bytes32(slot))) == none) ++found;
        }
        assertEq(found, 1, "one word with both times and nothing else");
    }

    function test_a_loan_above_what_is_free_is_refused_with_both_figures() public {
        ILiquidityPool.Parameters memory p = pool.parametersOf();
        p.totalCapUsdcUnits = 150e6;
        vm.prank(owner, owner);
        pool.setParameters(p);
        bytes32 key = create();
        IVenueExchange.Order memory o = orderOf(key, 0, 300e6, 600e6);
        vm.expectRevert(abi.encodeWithSelector(ILiquidityPool.LiquidityExceeded.selector, 200e6, 150e6));
        authorize(key, o, attestation(IVault.Purpose.Open, 5_000, 5_000));
    }

    function test_a_book_that_is_not_covered_is_refused_with_both_figures() public {
        (, uint256 booked) = pool.solvency();
        loseThePoolsMoney();
        vm.expectRevert(abi.encodeWithSelector(ILiquidityPool.BookNotCovered.selector, 1, booked));
        pool.payTreasury();
        vm.clearMockedCalls();
    }

    function test_one_unit_repaid_leaves_the_loans_of_its_outcome() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.addMargin(key, 1);
        (uint256 loans, ) = pool.outcomeLoanOf(yesOutcome);
        assertEq(loans, 200e6 - 1, "one unit less");
    }

    function test_one_impaired_unit_leaves_the_mark_when_it_is_repaid() public {
        bytes32 key = open();
        open(seeded(2), alice, 5_000);
        vm.prank(alice, alice);
        vault.addMargin(key, 200e6 - 1);
        vm.prank(guardian, guardian);
        vault.impair(key, true);
        assertEq(pool.bookOf().impairedUsdcUnits, 1, "one unit");
        vm.prank(alice, alice);
        vault.addMargin(key, 1);
        assertEq(pool.impairedOf(key), 0, "repaid");
        assertEq(pool.bookOf().impairedUsdcUnits, 0, "nothing is impaired");
    }

    /// @dev Half of what 64 bits hold: a sum that grew where it should fall would leave them.
    function test_a_mark_of_any_size_is_taken_back() public {
        uint256 half = 1 << 63;
        vm.startPrank(address(vault), address(vault));
        pool.impair("key", yesOutcome, half);
        assertEq(pool.impairedOf("key"), half, "set");
        pool.impair("key", yesOutcome, 0);
        vm.stopPrank();
        assertEq(pool.impairedOf("key"), 0, "taken back");
    }

    function test_who_deposits_pays_and_the_receiver_gets_the_shares() public {
        fundProvider(bob, 7e6);
        vm.prank(bob, bob);
        uint256 shares = pool.deposit(7e6, alice);
        assertEq(usdc.allowance(bob, address(pool)), 0, "paid by the caller");
        assertEq(pool.balanceOf(alice), shares, "shares of the receiver");
        assertEq(pool.balanceOf(bob), 0, "none of the caller");
    }

    function test_what_no_share_owns_is_emitted_as_funding_the_reserve() public {
        bytes32 key = open();
        uint256 shares = pool.balanceOf(lp);
        vm.prank(lp, lp);
        pool.requestRedeem(shares, 0);
        skip(365 days);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        vm.expectEmit();
        emit ILiquidityPool.ReserveFunded(address(pool), 16e6);
        vm.prank(lp, lp);
        pool.redeem(shares, lp, lp);
    }

    /// @dev I24: a deposit too small for a share would make what is idle no one's, and the loan that comes back too.
    function test_a_deposit_that_brings_no_share_is_refused_and_an_orphaned_loan_still_fills_the_reserve() public {
        bytes32 key = leaveWholly();
        fundProvider(bob, 200);
        vm.startPrank(bob, bob);
        assertEq(pool.previewDeposit(1), 0, "200 USD are still lent, and a million virtual shares own them");
        vm.expectRevert(ILiquidityPool.NoShares.selector);
        pool.deposit(1, bob);
        vm.expectRevert(ILiquidityPool.NoShares.selector);
        pool.deposit(200, bob);
        vm.expectRevert(ILiquidityPool.NoShares.selector);
        pool.mint(0, bob);
        vm.stopPrank();
        uint256 reserve = pool.bookOf().reserveUsdcUnits;
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertEq(pool.bookOf().reserveUsdcUnits - reserve, 200e6, "the loan that was no one's");
        assertEq(pool.bookOf().idleUsdcUnits, 0, "without shares nothing idle is the providers'");
    }

    /// @dev A deposit before an orphaned loan is repaid pays a price that counts it: the virtual shares own it,
    /// until the last share leaves.
    function test_limit_an_orphaned_loan_is_the_virtual_shares_once_someone_enters() public {
        bytes32 key = leaveWholly();
        fundProvider(bob, 201);
        vm.prank(bob, bob);
        assertEq(pool.deposit(201, bob), 1, "a millionth of a millionth share");
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertEq(pool.previewRedeem(1), 200, "what was paid, less than a unit");
        uint256 reserve = pool.bookOf().reserveUsdcUnits;
        vm.startPrank(bob, bob);
        pool.requestRedeem(1, 0);
        skip(24 hours);
        pool.redeem(1, bob, bob);
        vm.stopPrank();
        assertEq(pool.bookOf().reserveUsdcUnits - reserve, 200e6 + 1, "the rest, with the last share");
    }

    /// @dev The last provider leaves with the cap of its request, which a large fee helps to pay; 200 USD stay lent.
    function leaveWholly() private returns (bytes32 key) {
        IVault.CreateRequest memory r = request();
        r.lifetimeFeeAprBps = 0;
        key = open(r, alice, 5_000);
        bytes32 large = open(requestOf(seedOf(5), 5_000e6, 50_000), alice, 5_000);
        uint256 shares = pool.balanceOf(lp);
        vm.prank(lp, lp);
        pool.requestRedeem(shares, 0);
        skip(365 days);
        vm.prank(alice, alice);
        vault.exitByRepaying(large, alice);
        vm.prank(lp, lp);
        pool.redeem(shares, lp, lp);
        assertEq(pool.totalSupply(), 0, "no share is left");
        assertEq(pool.totalAssets(), 200e6, "and a loan");
    }

    function test_what_utilisation_leaves_free_is_rounded_down() public {
        open();
        fundProvider(bob, 1);
        vm.prank(bob, bob);
        pool.deposit(1, bob);
        assertEq(pool.freeLiquidity(), 400_000e6 - 200e6, "80 % of one unit more are none, less what is lent");
    }

    function test_the_reserves_part_of_an_origination_fee_is_rounded_up() public {
        setReserve(1_000, 5_000);
        uint256 reserve = pool.bookOf().reserveUsdcUnits;
        IVault.CreateRequest memory r = requestOf(seedOf(1), 150_002_500, 20_000);
        r.originationFeeBps = 101;
        open(r, alice, 5_000);
        assertEq(pool.bookOf().treasuryOwedUsdcUnits, 1_515_025, "half of 3.030051 USD, rounded down");
        assertEq(pool.bookOf().reserveUsdcUnits - reserve, 1_515_026, "and up");
    }

    function test_the_reserve_is_filled_to_its_target_rounded_down() public {
        fundProvider(bob, 1);
        vm.prank(bob, bob);
        pool.deposit(1, bob);
        setReserve(501, 10_000);
        fundPool(0, 50e6 - 1);
        open();
        assertEq(pool.bookOf().reserveUsdcUnits, 25_050e6, "5.01 % of one unit more are none");
    }
}
