// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "./VaultFixture.sol";
import {Vm} from "./Vm.sol";

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

    function test_every_setting_of_the_pool_is_told() public {
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

    function test_every_step_of_a_provider_is_told() public {
        uint256 shares = pool.balanceOf(lp) / 4;
        uint256 maturesAt = block.timestamp + 24 hours;
        vm.startPrank(lp, lp);
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

    function test_every_request_of_an_owner_is_told() public {
        bytes32 key = create();
        bytes32 pending = create(requestOf(bytes16(uint128(2) << 120), 100e6, 30_000), alice);
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

    function test_losses_and_late_money_are_told() public {
        bytes32 key = open();
        skip(60 days);
        vm.expectEmit();
        emit IVault.WrittenOff(key, 200e6);
        vm.expectEmit();
        emit IVault.BadDebtBooked(key, 200e6);
        vm.prank(owner, owner);
        vault.writeOff(key);
        bytes32 other = open(requestOf(bytes16(uint128(2) << 120), 100e6, 30_000), alice, 5_000);
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

    function test_finalizeMany_begins_with_the_first_key() public {
        bytes32[] memory keys = new bytes32[](1);
        keys[0] = create();
        fillWhole(authorizeOpen(keys[0], 5_000), 9e6);
        vm.prank(keeper, keeper);
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

    function test_every_ending_is_told() public {
        IVault.Distribution memory d;
        bytes32 key = open();
        bytes32 exited = open(requestOf(bytes16(uint128(2) << 120), 100e6, 30_000), alice, 5_000);
        bytes32 settled = open(requestOf(bytes16(uint128(3) << 120), 100e6, 30_000), alice, 5_000);
        bytes32 pending = create(requestOf(bytes16(uint128(4) << 120), 100e6, 30_000), alice);
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
        vm.prank(alice, alice);
        vault.requestClose(key, 120e6, 1_234);
        assertEq(vault.positionOf(key).closeMinPricePips, 1_234, "least price");
        bytes32 other = create(requestOf(bytes16(uint128(2) << 120), 100e6, 30_000), alice);
        authorizeOpen(other, 5_000);
        vm.prank(alice, alice);
        vault.cancelPosition(other);
        assertTrue(vault.positionOf(other).cancelRequested, "cancel asked");
    }

    /// @dev An exchange that breaks its promise takes the money and brings nothing: the loss stays on the position.
    function test_money_taken_without_tokens_is_bad_debt_that_late_money_repays() public {
        bytes32 key = create();
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        address account = vault.accountOf(key);
        vm.prank(address(exchange), address(exchange));
        usdc.transferFrom(account, address(exchange), o.makerAmount);
        uint256 cash = usdc.balanceOf(account);
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
        uint256 badDebt = 200e6 - cash;
        assertEq(vault.positionOf(key).badDebtUsdcUnits, badDebt, "bad debt of the position");
        usdc.mint(account, badDebt + 1e6);
        uint256 before = usdc.balanceOf(alice);
        vault.claim(key);
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 0, "repaid first");
        assertEq(usdc.balanceOf(alice) - before, 1e6, "the rest is hers");
        assertSolvent();
    }

    function test_fees_of_a_written_off_debt_stay_due_and_grow_no_more() public {
        bytes32 key = open();
        uint256 opened = vault.positionOf(key).since;
        skip(61 days);
        (, uint256 fees) = vault.debtOf(key);
        assertGe(fees, 3e6, "two months on 200 USD");
        vm.prank(owner, owner);
        vault.writeOff(key);
        (uint256 principal, uint256 feesAfter) = vault.debtOf(key);
        assertEq(principal, 200e6, "still owed");
        assertEq(feesAfter, fees, "and so are the fees");
        assertEq(vault.positionOf(key).since, opened + 61 days, "the principal changed now");
        skip(100 days);
        (, feesAfter) = vault.debtOf(key);
        assertEq(feesAfter, fees, "on nothing nothing accrues");
    }

    function test_a_request_is_served_to_its_last_unit() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 300e6, 0);
        sell(key, IVault.Purpose.Close, 299_999_999, 6_000);
        assertEq(vault.positionOf(key).closeTokenUnits, 1, "one unit is still asked for");
        IVenueExchange.Order memory o = orderOf(key, 1, 1, 1);
        authorize(key, o, attestation(IVault.Purpose.Close, 6_000, 6_000));
        fillWhole(o, 0);
        finalize(key);
        assertEq(vault.positionOf(key).closeTokenUnits, 0, "nothing is");
    }

    function test_a_request_of_one_share_is_kept_free() public {
        ILiquidityPool.Parameters memory p = pool.parametersOf();
        p.utilisationBps = 10_000;
        p.totalCapUsdcUnits = type(uint64).max;
        vm.prank(owner, owner);
        pool.setParameters(p);
        uint256 free = pool.freeLiquidity();
        vm.prank(lp, lp);
        pool.requestRedeem(1);
        assertEq(pool.requestedShares(), 1, "a millionth of a unit");
        assertEq(pool.freeLiquidity(), free - 1, "rounded up to a whole one");
    }

    function test_without_tokens_there_is_no_price_to_liquidate_at() public {
        bytes32 key = create();
        assertEq(vault.positionOf(key).tokenUnits, 0, "nothing is filled yet");
        assertEq(vault.liquidationPriceOf(key), 0, "no price");
    }

    function test_a_fee_budget_that_just_reaches_is_enough() public {
        bytes32 key = create();
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        a.venueFeeBps = 400;
        authorize(key, orderOf(key, 0, 300e6, 600e6), a);
        assertEq(vault.liveOrderOf(key).makerAmount, 300e6, "4 % of 300 USD are the 12 USD there are");
    }

    function test_a_position_is_born_at_99_percent_of_the_mark_and_not_above() public {
        bytes32 key = create(requestOf(bytes16(uint128(9) << 100), 100e6, 100_000), alice);
        IVenueExchange.Order memory o = orderOf(key, 0, 999_999_000, 1_111_110_000);
        vm.expectRevert(abi.encodeWithSelector(IVault.BornUnhealthy.selector, 8_829, 8_828));
        authorize(key, o, attestation(IVault.Purpose.Open, 8_918, 9_000));
        authorize(key, o, attestation(IVault.Purpose.Open, 8_919, 9_000));
        assertEq(vault.liveOrderOf(key).makerAmount, 999_999_000, "8,919 allows 8,829.81");
    }

    function test_a_part_takes_its_share_of_the_fees_rounded_up() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 200e6, 0);
        skip(1 hours);
        (, uint256 fees) = vault.debtOf(key);
        assertEq(fees, 2_284, "10 % a year on 200 USD");
        sell(key, IVault.Purpose.Close, 200e6, 6_000);
        (, fees) = vault.debtOf(key);
        assertEq(fees, 2_284 - 762, "a third is 761.33");
        assertEq(vault.positionOf(key).pendingFeeUsdcUnits, fees, "and the position shows it");
    }

    function test_a_hundredth_of_a_token_is_still_a_position() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        IVenueExchange.Order memory o = authorizeSale(key, IVault.Purpose.Close, 600e6, 6_000);
        fill(o, 600e6 - 10_000, 360e6 - 6_000, 0);
        finalize(key);
        assertState(key, IVault.PositionState.Open);
        assertEq(tokensOf(key), 10_000, "held");
        assertEq(vault.positionOf(key).closeTokenUnits, 10_000, "and asked for");
    }

    function test_nothing_is_asked_for_after_a_sale() public {
        bytes32 key = open();
        closeAll(key, 6_000);
        assertState(key, IVault.PositionState.Closed);
        assertEq(vault.positionOf(key).closeTokenUnits, 0, "the request ended with the position");
    }

    function test_nothing_is_asked_for_after_an_exit() public {
        bytes32 key = open();
        fundUser(alice, 300e6);
        vm.startPrank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        vault.exitByRepaying(key, alice);
        vm.stopPrank();
        assertState(key, IVault.PositionState.Closed);
        assertEq(vault.positionOf(key).closeTokenUnits, 0, "the request ended with the position");
    }

    function test_nothing_is_asked_for_after_settlement() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        resolve(1, 0);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        assertEq(vault.positionOf(key).closeTokenUnits, 0, "the request ended with the position");
    }

    function test_a_last_unit_of_fees_is_booked() public {
        bytes32 key = open();
        skip(1 hours);
        fundUser(alice, 300e6);
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        vm.prank(alice, alice);
        vault.addMargin(key, principal + fees - 1);
        resolve(1, 0);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        (uint256 balance, uint256 booked) = pool.solvency();
        assertEq(balance, booked, "one unit came in and is in the book");
    }

    function test_a_withdrawn_request_leaves_no_least_price() public {
        bytes32 key = open();
        vm.startPrank(alice, alice);
        vault.requestClose(key, 600e6, 1_234);
        vault.requestClose(key, 0, 1_234);
        vm.stopPrank();
        assertEq(vault.positionOf(key).closeTokenUnits, 0, "withdrawn");
        assertEq(vault.positionOf(key).closeMinPricePips, 0, "with its price");
    }

    function test_a_loss_of_one_unit_is_told() public {
        bytes32 key = open();
        fundUser(alice, 300e6);
        vm.prank(alice, alice);
        vault.addMargin(key, 200e6 - 1);
        assertEq(principalOf(key), 1, "one unit is owed");
        resolve(0, 1);
        vm.expectEmit();
        emit IVault.BadDebtBooked(key, 1);
        vault.settle(key);
    }

    function test_no_loss_is_told_of_none() public {
        bytes32 key = open();
        resolve(1, 0);
        vm.recordLogs();
        vault.settle(key);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertTrue(logs.length != 0, "the settlement is told");
        for (uint256 i = 0; i < logs.length; ++i) {
            assertTrue(logs[i].topics[0] != IVault.BadDebtBooked.selector, "a loss is not");
        }
    }

    function test_an_order_may_never_pull_the_origination_fee() public {
        IVault.CreateRequest memory r = request();
        r.minFillBps = 2_000;
        bytes32 key = create(r, alice);
        IVenueExchange.Order memory o = orderOf(key, 0, 100e6, 200e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        authorize(key, o, a);
        fillWhole(o, 4e6);
        authorize(key, orderOf(key, 0, 200e6, 400e6), a);
        address account = vault.accountOf(key);
        assertEq(usdc.balanceOf(account), 211e6, "315 USD less 104");
        assertEq(usdc.allowance(account, address(exchange)), 208e6, "three of them are the origination fee");
    }

    /// @dev 29 divides one unit above the greatest notional, so that this notional has a collateral at 2.9 times.
    function test_a_notional_of_one_unit_too_much_is_refused() public {
        IVault.CreateRequest memory r = request();
        r.notionalUsdcUnits = 1e14 + 1;
        r.collateralUsdcUnits = (uint256(1e14 + 1) / 29) * 10;
        r.leverageBps = 29_000;
        r.venueFeeUsdcUnits = 0;
        bytes memory signature = signQuote(r, alice);
        vm.expectRevert(IVault.CollateralOutOfRange.selector);
        vm.prank(alice, alice);
        vault.createPosition(r, signature);
    }

    function test_a_rest_of_exactly_a_hundredth_of_a_token_is_too_small_to_leave() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Close, 6_000, 6_000);
        IVenueExchange.Order memory o = orderOf(key, 1, 600e6 - 10_000, 360e6 - 6_000);
        vm.expectRevert(IVault.RemainderTooSmall.selector);
        authorize(key, o, a);
        authorize(key, orderOf(key, 1, 600e6 - 9_999, 360e6 - 5_999), a);
        assertEq(vault.liveOrderOf(key).makerAmount, 600e6 - 9_999, "less than that is dust");
    }

    function test_fees_alone_have_no_price_to_liquidate_at() public {
        bytes32 key = open();
        skip(30 days);
        fundUser(alice, 300e6);
        vm.prank(alice, alice);
        vault.addMargin(key, 200e6);
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        assertEq(principal, 0, "repaid first");
        assertGe(fees, 1e6, "30 days on 200 USD are still due");
        assertEq(vault.liquidationPriceOf(key), 0, "nothing is lent any more");
    }

    function test_an_order_may_be_authorised_for_this_very_second() public {
        bytes32 key = create();
        IVenueExchange.Order memory o = orderOf(key, 0, 300e6, 600e6);
        bytes32 orderHash = exchange.hashOrder(o);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        bytes memory signature = signAttestation(a);
        vm.prank(keeper, keeper);
        vault.authorizeOrder(key, IVault.Purpose.Open, o, uint64(block.timestamp), a, signature);
        assertTrue(vault.isLiveOrder(key, orderHash), "now");
        skip(1);
        assertTrue(!vault.isLiveOrder(key, orderHash), "and not later");
    }

    function test_a_fill_of_one_unit_counts() public {
        IVault.CreateRequest memory r = request();
        r.minFillBps = 2_000;
        bytes32 key = create(r, alice);
        IVenueExchange.Order memory o = orderOf(key, 0, 100e6, 200e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        authorize(key, o, a);
        fill(o, 1, 2, 0);
        authorize(key, orderOf(key, 0, 200e6, 400e6), a);
        assertEq(vault.positionOf(key).filledUsdcUnits, 1, "one unit");
    }

    /// @dev At 99.99 cents the band of 20 % is 1,999.8 pips.
    function test_a_limit_two_thousand_pips_from_the_mark_is_outside_the_band() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        IVenueExchange.Order memory o = orderOf(key, 1, 600e6, 480e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Close, 9_999, 7_999);
        vm.expectRevert(IVault.AttestationPriceOutOfRange.selector);
        authorize(key, o, a);
        authorize(key, o, attestation(IVault.Purpose.Close, 9_999, 8_000));
        assertEq(vault.liveOrderOf(key).makerAmount, 600e6, "1,999 are inside");
    }
}
