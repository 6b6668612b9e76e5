// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "./VaultFixture.sol";

/// @notice The pool by itself: shares, the delayed way out, the book, parameters.
contract PoolTest is VaultFixture {
    function test_share_price_and_decimals() public view {
        assertEq(pool.decimals(), 12, "six more than USDC");
        assertEq(pool.totalAssets(), 500_000e6, "assets");
        assertEq(pool.convertToAssets(1e12), 1e6, "one share, one dollar");
    }

    function test_F8_first_depositor_inflation_is_pointless() public {
        VaultFixture.setUp();
        vm.startPrank(lp, lp);
        pool.requestRedeem(pool.balanceOf(lp));
        skip(1 days);
        pool.redeem(pool.maxRedeem(lp), lp, lp);
        vm.stopPrank();
        assertEq(pool.totalSupply(), 0, "empty again");
        usdc.mint(bob, 100_001e6);
        vm.startPrank(bob, bob);
        usdc.approve(address(pool), type(uint256).max);
        pool.deposit(1, bob);
        usdc.transfer(address(pool), 100_000e6);
        vm.stopPrank();
        usdc.mint(alice, 1_000e6);
        vm.startPrank(alice, alice);
        usdc.approve(address(pool), type(uint256).max);
        uint256 shares = pool.deposit(1_000e6, alice);
        vm.stopPrank();
        assertGe(pool.convertToAssets(shares), 1_000e6 - 1, "a gift buys nothing from the next depositor");
    }

    function test_request_redeem_cancel() public {
        uint256 shares = pool.balanceOf(lp);
        vm.startPrank(lp, lp);
        vm.expectRevert(ILiquidityPool.NoShares.selector);
        pool.requestRedeem(0);
        pool.requestRedeem(shares / 2);
        skip(12 hours);
        pool.requestRedeem(shares / 4);
        assertEq(pool.redeemRequestOf(lp).maturesAt, block.timestamp + 24 hours, "the time starts again");
        assertEq(pool.requestedShares(), shares / 2 + shares / 4, "escrow");
        skip(24 hours);
        assertEq(pool.maxRedeem(lp), shares / 2 + shares / 4, "matured");
        pool.redeem(shares / 2, lp, lp);
        vm.expectRevert(ILiquidityPool.NoShares.selector);
        pool.cancelRedeem(lp, 0);
        vm.expectPartialRevert(ILiquidityPool.RequestTooSmall.selector);
        pool.cancelRedeem(lp, shares);
        pool.cancelRedeem(lp, shares / 4);
        assertEq(pool.requestedShares(), 0, "nothing in escrow");
        vm.stopPrank();
        assertSolvent();
    }

    function test_lapsed_requests_are_returned_by_anyone() public {
        uint256 shares = pool.balanceOf(lp);
        vm.prank(lp, lp);
        pool.requestRedeem(shares);
        skip(48 hours);
        vm.prank(stranger, stranger);
        vm.expectRevert(ILiquidityPool.RequestStillUsable.selector);
        pool.cancelRedeem(lp, shares);
        skip(1);
        vm.prank(stranger, stranger);
        pool.cancelRedeem(lp, shares);
        assertEq(pool.balanceOf(lp), shares, "back with their owner");
    }

    function test_withdraw_and_approved_callers() public {
        uint256 shares = pool.balanceOf(lp);
        vm.startPrank(lp, lp);
        pool.requestRedeem(shares);
        skip(24 hours);
        pool.approve(bob, shares);
        vm.stopPrank();
        vm.prank(stranger, stranger);
        vm.expectRevert();
        pool.withdraw(1e6, stranger, lp);
        vm.prank(bob, bob);
        pool.withdraw(1_000e6, bob, lp);
        assertEq(pool.maxWithdraw(lp), 499_000e6, "the rest");
        vm.expectPartialRevert(ERC4626.ERC4626ExceededMaxWithdraw.selector);
        vm.prank(bob, bob);
        pool.withdraw(499_000e6 + 1, bob, lp);
        assertSolvent();
    }

    function test_withdrawals_are_limited_by_idle_and_lending_leaves_them_room() public {
        bytes32 key = create(requestOf(bytes16(uint128(8) << 100), 40_000e6, 50_000), alice);
        authorizeOpen(key, 6_000);
        uint256 shares = pool.balanceOf(lp);
        vm.startPrank(lp, lp);
        pool.requestRedeem(shares);
        assertEq(pool.freeLiquidity(), 0, "requested assets are not lent");
        skip(24 hours);
        assertEq(pool.maxWithdraw(lp), 340_000e6, "idle only");
        pool.redeem(pool.maxRedeem(lp), lp, lp);
        vm.stopPrank();
        assertLe(pool.bookOf().idleUsdcUnits, 1, "all idle money is out");
        assertSolvent();
    }

    function test_price_at_the_moment_of_redeeming() public {
        uint256 shares = pool.balanceOf(lp) / 2;
        vm.prank(lp, lp);
        pool.requestRedeem(shares);
        bytes32 key = create(requestOf(bytes16(uint128(8) << 100), 20_000e6, 50_000), alice);
        fillWhole(authorizeOpen(key, 8_000), 0);
        finalize(key);
        resolve(0, 1);
        vault.settle(key);
        skip(24 hours);
        uint256 loss = 80_000e6 - 25_000e6 - 500e6;
        assertLe(pool.totalAssets(), 500_000e6 - loss + 1_000e6, "the loss beyond the reserve is in the price");
        uint256 worth = pool.convertToAssets(shares);
        vm.prank(lp, lp);
        assertEq(pool.redeem(shares, lp, lp), worth, "price of that moment");
        assertSolvent();
    }

    function test_fees_by_the_book() public {
        bytes32 key = open();
        assertEq(pool.bookOf().treasuryOwedUsdcUnits, 3e6, "origination: the reserve is at its target");
        skip(365 days);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertEq(pool.bookOf().treasuryOwedUsdcUnits, 3e6 + 4e6, "a fifth of 20 USD of lifetime fees");
        assertEq(pool.totalAssets(), 500_000e6 + 16e6, "the rest to providers");
        pool.payTreasury();
        assertEq(usdc.balanceOf(treasury), 7e6, "pulled");
        pool.payTreasury();
        assertSolvent();
    }

    function test_origination_fills_the_reserve_below_its_target() public {
        ILiquidityPool.Parameters memory p = pool.parametersOf();
        p.reserveTargetBps = 1_000;
        vm.prank(owner, owner);
        pool.setParameters(p);
        open();
        assertEq(pool.bookOf().reserveUsdcUnits, 25_000e6 + 1_500_000, "half of it");
        assertEq(pool.bookOf().treasuryOwedUsdcUnits, 1_500_000, "half of it");
    }

    function test_parameters_stay_inside_their_bounds() public {
        ILiquidityPool.Parameters memory p;
        vm.startPrank(owner, owner);
        for (uint256 i = 0; i < 5; ++i) {
            p = pool.parametersOf();
            if (i == 0) p.utilisationBps = 10_001;
            if (i == 1) p.protocolCutBps = 5_001;
            if (i == 2) p.originationReserveBps = 4_999;
            if (i == 3) p.originationReserveBps = 10_001;
            if (i == 4) p.reserveTargetBps = 5_001;
            vm.expectRevert(ILiquidityPool.ParameterOutOfRange.selector);
            pool.setParameters(p);
        }
        p = pool.parametersOf();
        (p.utilisationBps, p.protocolCutBps, p.originationReserveBps, p.reserveTargetBps) = (10_000, 5_000, 5_000, 5_000);
        pool.setParameters(p);
        p.originationReserveBps = 10_000;
        pool.setParameters(p);
        vm.expectRevert(ILiquidityPool.ZeroAddress.selector);
        pool.setTreasury(address(0));
        pool.setTreasury(bob);
        assertEq(pool.treasury(), bob, "treasury");
        pool.setOutcomeCap(yesOutcome, true, 5e6);
        (, uint256 cap) = pool.outcomeLoanOf(yesOutcome);
        assertEq(cap, 5e6, "its own cap");
        pool.setOutcomeCap(yesOutcome, false, 7e6);
        (, cap) = pool.outcomeLoanOf(yesOutcome);
        assertEq(cap, 200_000e6, "the default one again");
        vm.stopPrank();
    }

    function test_deposit_limit_and_mint() public {
        assertEq(pool.maxDeposit(bob), type(uint64).max / 2 - 500_000e6, "what the book can hold");
        uint256 most = pool.maxDeposit(bob);
        usdc.mint(bob, most + 1);
        vm.startPrank(bob, bob);
        usdc.approve(address(pool), type(uint256).max);
        vm.expectPartialRevert(ERC4626.ERC4626ExceededMaxDeposit.selector);
        pool.deposit(most + 1, bob);
        uint256 cost = pool.mint(1e12, bob);
        assertEq(cost, 1e6, "one share");
        assertGe(pool.maxMint(bob), 1e12, "more could be minted");
        vm.stopPrank();
    }

    function test_gifts_change_nothing() public {
        uint256 price = pool.convertToAssets(1e18);
        uint256 free = pool.freeLiquidity();
        usdc.mint(address(pool), 1_000_000e6);
        assertEq(pool.convertToAssets(1e18), price, "share price");
        assertEq(pool.freeLiquidity(), free, "liquidity");
        (uint256 balance, uint256 booked) = pool.solvency();
        assertEq(balance - booked, 1_000_000e6, "beside the book");
    }

    function test_no_provider_moves_money_of_a_book_that_is_not_covered() public {
        uint256 shares = pool.balanceOf(lp) / 4;
        vm.prank(lp, lp);
        pool.requestRedeem(shares);
        skip(24 hours);
        fundBob(2e6);
        loseThePoolsMoney();
        vm.startPrank(bob, bob);
        vm.expectPartialRevert(ILiquidityPool.BookNotCovered.selector);
        pool.deposit(1e6, bob);
        vm.expectPartialRevert(ILiquidityPool.BookNotCovered.selector);
        pool.fundReserve(1e6);
        vm.stopPrank();
        vm.prank(lp, lp);
        vm.expectPartialRevert(ILiquidityPool.BookNotCovered.selector);
        pool.redeem(shares, lp, lp);
        vm.clearMockedCalls();
    }

    function test_no_loan_and_no_fee_moves_money_of_a_book_that_is_not_covered() public {
        bytes32 key = open();
        bytes32 other = create(requestOf(bytes16(uint128(2) << 120), 100e6, 30_000), alice);
        IVenueExchange.Order memory o = orderOf(other, 0, 300e6, 600e6);
        fundUser(alice, 300e6);
        loseThePoolsMoney();
        vm.expectPartialRevert(ILiquidityPool.BookNotCovered.selector);
        authorize(other, o, attestation(IVault.Purpose.Open, 5_000, 5_000));
        vm.prank(alice, alice);
        vm.expectPartialRevert(ILiquidityPool.BookNotCovered.selector);
        vault.exitByRepaying(key, alice);
        vm.expectPartialRevert(ILiquidityPool.BookNotCovered.selector);
        pool.payTreasury();
        vm.clearMockedCalls();
    }

    /// @dev What no token in use can do: the balance is gone and the book does not know.
    function loseThePoolsMoney() internal {
        vm.mockCall(address(usdc), abi.encodeWithSignature("balanceOf(address)", address(pool)), abi.encode(1));
    }

    function fundBob(uint256 usdcUnits) internal {
        usdc.mint(bob, usdcUnits);
        vm.prank(bob, bob);
        usdc.approve(address(pool), usdcUnits);
    }

    function testFuzz_I5_deposit_and_redeem_never_profits(uint256 usdcUnits, uint256 profit) public {
        usdcUnits = bound(usdcUnits, 1, 1e13);
        usdc.mint(bob, usdcUnits);
        bytes32 key = open();
        skip(bound(profit, 1, 300 days));
        vm.startPrank(alice, alice);
        vault.exitByRepaying(key, alice);
        vm.stopPrank();
        vm.startPrank(bob, bob);
        usdc.approve(address(pool), usdcUnits);
        uint256 shares = pool.deposit(usdcUnits, bob);
        pool.requestRedeem(shares);
        skip(24 hours);
        assertLe(pool.redeem(shares, bob, bob), usdcUnits, "no profit");
        vm.stopPrank();
    }
}
