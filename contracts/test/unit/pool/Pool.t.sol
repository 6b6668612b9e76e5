// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {ILiquidityPool} from "../../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice The pool by itself: shares, the book, parameters.
contract PoolTest is VaultFixture {
    function test_share_price_and_decimals() public view {
        assertEq(pool.decimals(), 12, "six more than USDC");
        assertEq(pool.totalAssets(), 500_000e6, "assets");
        assertEq(pool.convertToAssets(1e12), 1e6, "one share, one dollar");
    }

    function test_F8_first_depositor_inflation_is_pointless() public {
        super.setUp();
        vm.startPrank(lp, lp);
        pool.requestRedeem(pool.balanceOf(lp), 0);
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
        assertGe(pool.convertToAssets(shares), 1_000e6 - 1, "a donation buys nothing from the next depositor");
    }

    function test_fees_by_the_book() public {
        bytes32 key = open();
        assertEq(pool.bookOf().treasuryOwedUsdcUnits, 3e6, "origination: the reserve is at its target");
        skip(365 days);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertEq(pool.bookOf().treasuryOwedUsdcUnits, 3e6 + 4e6, "a fifth of 20 USD of lifetime fees");
        assertEq(pool.totalAssets(), 500_000e6, "the rest is income");
        skip(7 days);
        assertEq(pool.totalAssets(), 500_000e6 + 16e6, "of the providers");
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
        (p.utilisationBps, p.protocolCutBps) = (10_000, 5_000);
        (p.originationReserveBps, p.reserveTargetBps) = (5_000, 5_000);
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
        uint256 maximum = pool.maxDeposit(bob);
        usdc.mint(bob, maximum + 1);
        vm.startPrank(bob, bob);
        usdc.approve(address(pool), type(uint256).max);
        vm.expectPartialRevert(ERC4626.ERC4626ExceededMaxDeposit.selector);
        pool.deposit(maximum + 1, bob);
        uint256 cost = pool.mint(1e12, bob);
        assertEq(cost, 1e6, "one share");
        assertGe(pool.maxMint(bob), 1e12, "more could be minted");
        vm.stopPrank();
    }

    function test_donations_change_nothing() public {
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
        pool.requestRedeem(shares, 0);
        skip(24 hours);
        fundProvider(bob, 2e6);
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
        bytes32 other = create(seeded(2), alice);
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
        pool.requestRedeem(shares, 0);
        skip(24 hours);
        assertLe(pool.redeem(shares, bob, bob), usdcUnits, "no profit");
        vm.stopPrank();
    }

    function test_shares_sent_to_the_pool_change_no_price_and_no_request() public {
        uint256 price = pool.convertToAssets(1e12);
        vm.prank(lp, lp);
        pool.transfer(address(pool), 1e9);
        assertEq(pool.convertToAssets(1e12), price, "price");
        assertEq(pool.requestedShares(), 0, "no request");
        assertEq(pool.maxRedeem(address(pool)), 0, "and leave by none");
    }
}
