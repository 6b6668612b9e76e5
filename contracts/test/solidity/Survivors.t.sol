// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "./VaultFixture.sol";

/// @notice Behaviour that a sampled mutant changed without any other test noticing.
contract SurvivorsTest is VaultFixture {
    function test_an_untouched_order_counts_as_nothing() public {
        bytes32 key = create();
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        bytes32 orderHash = exchange.hashOrder(o);
        vm.expectEmit();
        emit IVault.OrderEnded(key, orderHash, IVault.Purpose.Open, 0);
        authorizeOpen(key, 5_000);
        assertEq(vault.positionOf(key).filledUsdcUnits, 0, "the whole notional is free again");
    }

    function test_an_order_with_one_unit_left_counts_as_filled_but_one() public {
        IVault.CreateRequest memory r = request();
        r.minFillBps = 2_000;
        bytes32 key = create(r, alice);
        IVenueExchange.Order memory o = orderOf(key, 0, 100e6, 200e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        authorize(key, o, a);
        fill(o, 100e6 - 1, 200e6 - 2, 0);
        authorize(key, orderOf(key, 0, 200e6, 400e6), a);
        assertEq(vault.positionOf(key).filledUsdcUnits, 100e6 - 1, "all but one unit");
    }

    function test_every_setting_of_the_vault_is_told() public {
        address fresh = address(0xf00d);
        vm.startPrank(owner);
        vm.expectEmit();
        emit IVault.QuoteSignerChanged(fresh);
        vault.setQuoteSigner(fresh);
        vm.expectEmit();
        emit IVault.GuardianChanged(fresh);
        vault.setGuardian(fresh);
        vm.expectEmit();
        emit IVault.RoleChanged(IVault.Role.Oracle, fresh, true);
        vault.setRole(IVault.Role.Oracle, fresh, true);
        vm.expectEmit();
        emit IVault.BuilderChanged("new", true);
        vault.setBuilder("new", true);
        vm.expectEmit();
        emit IVault.OpeningPaused(true);
        vault.pauseOpening();
        vm.expectEmit();
        emit IVault.OpeningPaused(false);
        vault.resumeOpening();
        vm.stopPrank();
    }

    function test_every_setting_of_the_pool_is_told() public {
        ILiquidityPool.Parameters memory p = pool.parametersOf();
        p.reserveTargetBps = 77;
        vm.startPrank(owner);
        vm.expectEmit();
        emit ILiquidityPool.TreasuryChanged(bob);
        pool.setTreasury(bob);
        vm.expectEmit();
        emit ILiquidityPool.ParametersChanged(p);
        pool.setParameters(p);
        vm.expectEmit();
        emit ILiquidityPool.OutcomeCapChanged(7, true, 5);
        pool.setOutcomeCap(7, true, 5);
        vm.expectEmit();
        emit ILiquidityPool.OutcomeCapChanged(7, false, 0);
        pool.setOutcomeCap(7, false, 5);
        vm.stopPrank();
    }

    function test_every_step_of_a_provider_is_told() public {
        uint256 shares = pool.balanceOf(lp) / 4;
        uint256 maturesAt = block.timestamp + 24 hours;
        vm.startPrank(lp);
        vm.expectEmit();
        emit ILiquidityPool.RedeemRequested(lp, shares, shares, maturesAt);
        pool.requestRedeem(shares);
        vm.expectEmit();
        emit ILiquidityPool.RedeemRequested(lp, shares, 2 * shares, maturesAt);
        pool.requestRedeem(shares);
        vm.expectEmit();
        emit ILiquidityPool.RedeemCancelled(lp, shares);
        pool.cancelRedeem(lp, shares);
        skip(24 hours);
        uint256 worth = pool.previewRedeem(shares);
        vm.expectEmit();
        emit ILiquidityPool.Redeemed(lp, bob, shares, worth);
        pool.redeem(shares, bob, lp);
        vm.stopPrank();
        usdc.mint(lp, 5);
        vm.startPrank(lp);
        usdc.approve(address(pool), 5);
        vm.expectEmit();
        emit ILiquidityPool.ReserveFunded(lp, 5);
        pool.fundReserve(5);
        vm.stopPrank();
        open();
        uint256 owed = pool.bookOf().treasuryOwedUsdcUnits;
        vm.expectEmit();
        emit ILiquidityPool.TreasuryPaid(treasury, owed);
        pool.payTreasury();
    }

    function test_every_request_of_an_owner_is_told() public {
        bytes32 key = create();
        bytes32 pending = create(requestOf(bytes16(uint128(2) << 120), 100e6, 30_000), alice);
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        fillWhole(o, 9e6);
        vm.expectEmit();
        emit IVault.PositionOpened(key, alice, 600e6, 300e6, 309e6, 200e6, 3e6, 3e6, 800);
        finalize(key);
        vm.startPrank(alice);
        vm.expectEmit();
        emit IVault.CancelRequested(pending, alice);
        vault.cancelPosition(pending);
        vm.expectEmit();
        emit IVault.CloseRequested(key, alice, 120e6, 4_000);
        vault.requestClose(key, 120e6, 4_000);
        skip(1 days);
        (, uint256 fees) = vault.debtOf(key);
        vm.expectEmit();
        emit IVault.MarginAdded(key, alice, 200e6, fees);
        vault.addMargin(key, 300e6);
        vm.stopPrank();
    }

    function test_losses_and_late_money_are_told() public {
        bytes32 key = open();
        skip(60 days);
        vm.expectEmit();
        emit IVault.WrittenOff(key, 200e6);
        vm.expectEmit();
        emit IVault.BadDebtBooked(key, 200e6);
        vm.prank(owner);
        vault.writeOff(key);
        bytes32 other = open(requestOf(bytes16(uint128(2) << 120), 100e6, 30_000), alice, 5_000);
        usdc.setBlacklisted(alice, true);
        vm.prank(alice);
        vault.requestClose(other, 600e6, 0);
        IVenueExchange.Order memory o = authorizeSale(other, IVault.Purpose.Close, 600e6, 6_000);
        fillWhole(o, 0);
        vm.expectEmit();
        emit IVault.PaymentDeferred(other, alice, 160e6);
        finalize(other);
        usdc.setBlacklisted(alice, false);
        vm.expectEmit();
        emit IVault.Claimed(other, alice, 160e6, 0, 0);
        vault.claim(other);
    }

    function test_finalizeMany_begins_with_the_first_key() public {
        bytes32[] memory keys = new bytes32[](1);
        keys[0] = create();
        fillWhole(authorizeOpen(keys[0], 5_000), 9e6);
        vm.prank(keeper);
        vault.finalizeMany(keys);
        assertState(keys[0], IVault.PositionState.Open);
    }

    function test_a_liquidation_price_equal_to_the_users_maximum_is_accepted() public {
        IVault.CreateRequest memory r = request();
        r.maxLiquidationPricePips = 3_633;
        bytes32 key = create(r, alice);
        authorize(key, orderOf(key, 0, 300e6, 600e6), attestation(IVault.Purpose.Open, 5_000, 5_000));
        assertEq(vault.liveOrderOf(key).makerAmount, 300e6, "authorised");
    }

    function test_creation_and_authorisation_are_told() public {
        (bytes32 other, uint256 yes, ) = prepareMarket("other");
        vm.expectEmit();
        emit IVault.OutcomeRegistered(yesOutcome + 1, other, yes, oracle, "other", 1);
        vault.registerOutcome(oracle, "other", 1);
        IVault.CreateRequest memory r = request();
        bytes32 key = vault.positionKeyOf(alice, r.positionSeed);
        bytes memory signature = signQuote(r, alice);
        vm.expectEmit();
        emit IVault.PositionCreated(key, alice, yesOutcome, vault.accountOf(key), 3e6, r);
        vm.prank(alice);
        vault.createPosition(r, signature);
        IVenueExchange.Order memory o = orderOf(key, 0, 300e6, 600e6);
        bytes32 orderHash = exchange.hashOrder(o);
        vm.expectEmit();
        emit IVault.OrderAuthorized(
            key,
            orderHash,
            IVault.Purpose.Open,
            300e6,
            600e6,
            block.timestamp + 120,
            5_000,
            5_000
        );
        authorize(key, o, attestation(IVault.Purpose.Open, 5_000, 5_000));
    }

    function test_every_ending_is_told() public {
        IVault.Distribution memory d;
        bytes32 key = open();
        bytes32 exited = open(requestOf(bytes16(uint128(2) << 120), 100e6, 30_000), alice, 5_000);
        bytes32 settled = open(requestOf(bytes16(uint128(3) << 120), 100e6, 30_000), alice, 5_000);
        bytes32 pending = create(requestOf(bytes16(uint128(4) << 120), 100e6, 30_000), alice);
        vm.prank(alice);
        vault.requestClose(key, 600e6, 0);
        fillWhole(authorizeSale(key, IVault.Purpose.Close, 600e6, 6_000), 0);
        (d.proceedsUsdcUnits, d.principalUsdcUnits, d.userUsdcUnits) = (360e6, 200e6, 160e6);
        vm.expectEmit();
        emit IVault.PositionReduced(
            key,
            alice,
            IVault.Purpose.Close,
            IVault.PositionState.Closed,
            600e6,
            0,
            d
        );
        finalize(key);
        (d.proceedsUsdcUnits, d.userUsdcUnits) = (200e6, 0);
        vm.expectEmit();
        emit IVault.PositionExited(exited, alice, bob, 600e6, d);
        vm.prank(alice);
        vault.exitByRepaying(exited, bob);
        vm.expectEmit();
        emit IVault.PositionRefunded(pending, alice, IVault.PositionState.Cancelled, 115e6, 0);
        vm.prank(alice);
        vault.cancelPosition(pending);
        resolve(1, 0);
        (d.proceedsUsdcUnits, d.userUsdcUnits) = (600e6, 400e6);
        vm.expectEmit();
        emit IVault.PositionSettled(settled, alice, 600e6, d);
        vault.settle(settled);
    }

    function test_an_order_is_live_in_its_last_second_and_not_after() public {
        bytes32 key = create();
        bytes32 orderHash = exchange.hashOrder(authorizeOpen(key, 5_000));
        skip(120);
        assertTrue(vault.isLiveOrder(key, orderHash), "last second");
        skip(1);
        assertTrue(!vault.isLiveOrder(key, orderHash), "over");
    }

    function test_a_position_is_shown_with_every_term() public {
        IVault.CreateRequest memory r = request();
        r.minPositionTokenUnits = 599e6;
        r.maxLiquidationPricePips = 4_321;
        bytes32 key = open(r, alice, 5_000);
        IVault.Position memory p = vault.positionOf(key);
        assertEq(p.user, alice, "user");
        assertEq(p.outcomeId, yesOutcome, "outcome");
        assertEq(p.originationFeeBps, 100, "origination");
        assertEq(p.lifetimeFeeAprBps, 1_000, "APR");
        assertEq(p.liquidationFeeBps, 100, "liquidation fee");
        assertEq(p.maxLiquidationPricePips, 4_321, "maximum");
        assertEq(p.minFillBps, 10_000, "fill");
        assertEq(p.exitBufferBps, 800, "buffer");
        assertEq(p.since, block.timestamp, "since");
        assertEq(p.collateralUsdcUnits, 100e6, "collateral");
        assertEq(p.notionalUsdcUnits, 300e6, "notional");
        assertEq(p.venueFeeUsdcUnits, 12e6, "venue fee");
        assertEq(p.originalTokenUnits, 600e6, "original tokens");
        vm.prank(alice);
        vault.requestClose(key, 120e6, 1_234);
        assertEq(vault.positionOf(key).closeMinPricePips, 1_234, "least price");
        bytes32 other = create(requestOf(bytes16(uint128(2) << 120), 100e6, 30_000), alice);
        authorizeOpen(other, 5_000);
        vm.prank(alice);
        vault.cancelPosition(other);
        assertTrue(vault.positionOf(other).cancelRequested, "cancel asked");
    }
}
