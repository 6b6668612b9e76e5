// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Every setting, request, loss and ending is emitted with its figures.
contract EventsTest is VaultFixture {
    function test_every_setting_of_the_vault_is_emitted() public {
        address fresh = address(0xf00d);
        vm.startPrank(owner, owner);
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

    function test_every_setting_of_the_pool_is_emitted() public {
        ILiquidityPool.Parameters memory p = pool.parametersOf();
        p.reserveTargetBps = 77;
        vm.startPrank(owner, owner);
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

    function test_every_step_of_a_provider_is_emitted() public {
        uint256 shares = pool.balanceOf(lp) / 4;
        uint256 maturesAt = block.timestamp + 24 hours;
        vm.startPrank(lp, lp);
        vm.expectEmit();
        emit ILiquidityPool.RedeemRequested(lp, shares, 125_000e6, maturesAt);
        pool.requestRedeem(shares, 125_000e6);
        vm.expectEmit();
        emit ILiquidityPool.RedeemRequested(lp, shares, 125_000e6, maturesAt);
        pool.requestRedeem(shares, 0);
        skip(24 hours);
        vm.expectEmit();
        emit ILiquidityPool.Redeemed(lp, bob, shares, 125_000e6, 0);
        pool.redeem(shares, bob, lp);
        vm.stopPrank();
        usdc.mint(lp, 5);
        vm.startPrank(lp, lp);
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

    function test_every_request_of_an_owner_is_emitted() public {
        bytes32 key = create();
        bytes32 pending = create(seeded(2), alice);
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        fillWhole(o, 9e6);
        vm.expectEmit();
        emit IVault.PositionOpened(key, alice, 600e6, 300e6, 309e6, 200e6, 3e6, 3e6, 800);
        finalize(key);
        vm.startPrank(alice, alice);
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

    function test_losses_and_late_money_are_emitted() public {
        bytes32 key = open();
        vm.expectEmit();
        emit ILiquidityPool.Impaired(key, yesOutcome, 200e6);
        vm.prank(guardian, guardian);
        vault.impair(key, true);
        vm.expectEmit();
        emit ILiquidityPool.Impaired(key, yesOutcome, 0);
        vm.prank(owner, owner);
        vault.impair(key, false);
        bytes32 other = open(seeded(2), alice, 5_000);
        usdc.setBlacklisted(alice, true);
        vm.prank(alice, alice);
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

    function test_creation_and_authorisation_are_emitted() public {
        (bytes32 other, uint256 yes, ) = prepareMarket("other");
        vm.expectEmit();
        emit IVault.OutcomeRegistered(yesOutcome + 1, other, yes, oracle, "other", 1);
        vault.registerOutcome(oracle, "other", 1);
        IVault.CreateRequest memory r = request();
        bytes32 key = vault.positionKeyOf(alice, r.positionSeed);
        bytes memory signature = signQuote(r, alice);
        vm.expectEmit();
        emit IVault.PositionCreated(key, alice, yesOutcome, vault.accountOf(key), 3e6, r);
        vm.prank(alice, alice);
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

    function test_every_ending_is_emitted() public {
        IVault.Distribution memory d;
        bytes32 key = open();
        bytes32 exited = open(seeded(2), alice, 5_000);
        bytes32 settled = open(seeded(3), alice, 5_000);
        bytes32 pending = create(seeded(4), alice);
        vm.prank(alice, alice);
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
        vm.prank(alice, alice);
        vault.exitByRepaying(exited, bob);
        vm.expectEmit();
        emit IVault.PositionRefunded(pending, alice, IVault.PositionState.Cancelled, 115e6, 0);
        vm.prank(alice, alice);
        vault.cancelPosition(pending);
        resolve(1, 0);
        (d.proceedsUsdcUnits, d.userUsdcUnits) = (600e6, 400e6);
        vm.expectEmit();
        emit IVault.PositionSettled(settled, alice, 600e6, d);
        vault.settle(settled);
    }
}
