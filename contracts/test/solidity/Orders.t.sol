// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "./VaultFixture.sol";

/// @notice Every check between an attestation and an order, both sides of each edge.
contract OrdersTest is VaultFixture {
    bytes32 private pending;
    bytes32 private held;

    function setUp() public override {
        super.setUp();
        held = open(requestOf(bytes16(uint128(9) << 100), 100e6, 30_000), alice, 5_000);
        pending = create();
    }

    function opening() private returns (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) {
        return (orderOf(pending, 0, 300e6, 600e6), attestation(IVault.Purpose.Open, 5_000, 5_000));
    }

    function closing() private returns (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) {
        vm.prank(alice, alice);
        vault.requestClose(held, 300e6, 0);
        return (orderOf(held, 1, 300e6, 150e6), attestation(IVault.Purpose.Close, 5_000, 5_000));
    }

    function refuse(
        bytes32 key,
        IVenueExchange.Order memory o,
        IVault.PriceAttestation memory a,
        bytes4 selector
    ) private {
        vm.expectPartialRevert(selector);
        authorize(key, o, a);
    }

    function test_keeper_alone_moves_nothing() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        bytes memory forged = signed(MAKER_KEY, attestationDigest(a));
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.InvalidAttestationSignature.selector);
        vault.authorizeOrder(pending, IVault.Purpose.Open, o, uint64(block.timestamp + 60), a, forged);
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.InvalidAttestationSignature.selector);
        vault.authorizeOrder(pending, IVault.Purpose.Open, o, uint64(block.timestamp + 60), a, "");
    }

    function test_price_signer_alone_moves_nothing() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        bytes memory signature = signAttestation(a);
        vm.prank(vm.addr(PRICE_KEY), vm.addr(PRICE_KEY));
        vm.expectRevert(IVault.NotKeeper.selector);
        vault.authorizeOrder(pending, IVault.Purpose.Open, o, uint64(block.timestamp + 60), a, signature);
    }

    function test_every_attested_field_is_bound() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory signedFor) = opening();
        bytes memory signature = signAttestation(signedFor);
        for (uint256 i = 0; i < 6; ++i) {
            IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
            if (i == 0) a.markPips += 1;
            if (i == 1) a.limitPips += 1;
            if (i == 2) a.triggerPips += 1;
            if (i == 3) a.venueFeeBps -= 1;
            if (i == 4) a.exitBufferBps -= 1;
            if (i == 5) a.observedAt -= 1;
            vm.prank(keeper, keeper);
            vm.expectRevert(IVault.InvalidAttestationSignature.selector);
            vault.authorizeOrder(pending, IVault.Purpose.Open, o, uint64(block.timestamp + 60), a, signature);
        }
    }

    function test_removed_price_signer_is_refused_and_the_standby_works() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        vm.prank(owner, owner);
        vault.setRole(IVault.Role.PriceSigner, maker, true);
        vm.prank(guardian, guardian);
        vault.setRole(IVault.Role.PriceSigner, vm.addr(PRICE_KEY), false);
        refuse(pending, o, a, IVault.InvalidAttestationSignature.selector);
        bytes memory signature = signed(MAKER_KEY, attestationDigest(a));
        vm.prank(keeper, keeper);
        vault.authorizeOrder(pending, IVault.Purpose.Open, o, uint64(block.timestamp + 60), a, signature);
    }

    function test_attestation_of_another_purpose_market_or_token() public {
        (IVenueExchange.Order memory o, ) = opening();
        for (uint256 i = 0; i < 3; ++i) {
            IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
            if (i == 0) a.purpose = uint8(IVault.Purpose.Close);
            if (i == 1) a.tokenId = noId;
            if (i == 2) a.marketId = bytes32(uint256(1));
            bytes memory signature = signAttestation(a);
            vm.prank(keeper, keeper);
            vm.expectRevert(IVault.AttestationMismatch.selector);
            vault.authorizeOrder(pending, IVault.Purpose.Open, o, uint64(block.timestamp + 60), a, signature);
        }
    }

    function test_F4_age_of_an_attestation() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        a.observedAt = uint64(block.timestamp + 1);
        refuse(pending, o, a, IVault.AttestationStale.selector);
        a.observedAt = uint64(block.timestamp - 31);
        refuse(pending, o, a, IVault.AttestationStale.selector);
        a.observedAt = uint64(block.timestamp - 30);
        authorize(pending, o, a);
    }

    function test_attested_prices() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        a.exitBufferBps = 1_501;
        refuse(pending, o, a, IVault.AttestationBufferTooHigh.selector);
        a.exitBufferBps = 800;
        (a.markPips, a.limitPips) = (0, 5_000);
        refuse(pending, o, a, IVault.AttestationPriceOutOfRange.selector);
        (a.markPips, a.limitPips) = (10_001, 10_000);
        refuse(pending, o, a, IVault.AttestationPriceOutOfRange.selector);
        (a.markPips, a.limitPips) = (5_000, 0);
        refuse(pending, o, a, IVault.AttestationPriceOutOfRange.selector);
        (a.markPips, a.limitPips) = (10_000, 10_001);
        refuse(pending, o, a, IVault.AttestationPriceOutOfRange.selector);
        (a.markPips, a.limitPips) = (5_000, 6_001);
        refuse(pending, o, a, IVault.AttestationPriceOutOfRange.selector);
        (a.markPips, a.limitPips) = (5_000, 3_999);
        refuse(pending, o, a, IVault.AttestationPriceOutOfRange.selector);
        (a.markPips, a.limitPips) = (5_000, 5_000);
        a.venueFeeBps = 10_001;
        refuse(pending, o, a, IVault.AttestationPriceOutOfRange.selector);
        a.venueFeeBps = 350;
        (a.markPips, a.limitPips) = (5_000, 6_000);
        a.exitBufferBps = 1_500;
        authorize(pending, o, a);
    }

    function test_identity_of_an_order() public {
        for (uint256 i = 0; i < 6; ++i) {
            (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
            if (i == 0) o.maker = alice;
            if (i == 1) o.signer = alice;
            if (i == 2) o.tokenId = noId;
            if (i == 3) o.side = 1;
            if (i == 4) o.signatureType = 0;
            if (i == 5) o.maker = o.signer = vault.accountOf(held);
            refuse(pending, o, a, IVault.OrderMismatch.selector);
        }
        (IVenueExchange.Order memory buy, ) = opening();
        (, IVault.PriceAttestation memory sale) = closing();
        buy.maker = buy.signer = vault.accountOf(held);
        refuse(held, buy, sale, IVault.OrderMismatch.selector);
    }

    function test_validity_of_an_order() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        bytes memory signature = signAttestation(a);
        uint64[2] memory wrong = [uint64(block.timestamp - 1), uint64(block.timestamp + 121)];
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(keeper, keeper);
            vm.expectRevert(IVault.OrderValidityOutOfRange.selector);
            vault.authorizeOrder(pending, IVault.Purpose.Open, o, wrong[i], a, signature);
        }
        vm.prank(keeper, keeper);
        vault.authorizeOrder(pending, IVault.Purpose.Open, o, uint64(block.timestamp + 120), a, signature);
        (o, a) = closing();
        signature = signAttestation(a);
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.OrderValidityOutOfRange.selector);
        vault.authorizeOrder(held, IVault.Purpose.Close, o, uint64(block.timestamp + 61), a, signature);
    }

    function test_amounts_of_an_order() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        o.makerAmount = 0;
        refuse(pending, o, a, IVault.OrderAmountOutOfRange.selector);
        (o.makerAmount, o.takerAmount) = (300e6, 0);
        refuse(pending, o, a, IVault.OrderAmountOutOfRange.selector);
        (o.makerAmount, o.takerAmount) = (300e6, uint256(type(uint56).max) + 1);
        refuse(pending, o, a, IVault.OrderAmountOutOfRange.selector);
        (o.makerAmount, o.takerAmount) = (300e6 + 1, 600e6 + 2);
        refuse(pending, o, a, IVault.OrderAmountOutOfRange.selector);
        (o.makerAmount, o.takerAmount) = (uint256(type(uint56).max) + 1, 600e6);
        refuse(pending, o, a, IVault.OrderAmountOutOfRange.selector);
    }

    function test_open_first_order_of_a_partial_opening_reaches_the_floor() public {
        IVault.CreateRequest memory r = requestOf(bytes16(uint128(11) << 100), 100e6, 30_000);
        r.minFillBps = 4_000;
        bytes32 key = create(r, alice);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        IVenueExchange.Order memory o = orderOf(key, 0, 119_999_999, 240e6);
        refuse(key, o, a, IVault.OrderAmountOutOfRange.selector);
        o = orderOf(key, 0, 120e6, 240e6);
        authorize(key, o, a);
        fillWhole(o, 0);
        o = orderOf(key, 0, 10e6, 20e6);
        authorize(key, o, a);
        fillWhole(o, 0);
        finalize(key);
        assertEq(principalOf(key), 130e6 - 43_333_334, "both fills");
        assertEq(vault.positionOf(key).tokenUnits, 260e6, "both fills");
    }

    function test_open_price_against_limit_and_users_minimum() public {
        IVault.CreateRequest memory r = requestOf(bytes16(uint128(12) << 100), 100e6, 30_000);
        r.minPositionTokenUnits = 590e6;
        bytes32 key = create(r, alice);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_500);
        IVenueExchange.Order memory o = orderOf(key, 0, 300e6, 589_999_999);
        refuse(key, o, a, IVault.OrderPriceTooPoor.selector);
        o = orderOf(key, 0, 300e6, 590e6);
        authorize(key, o, a);
        (o, a) = opening();
        o.takerAmount = 599_999_999;
        refuse(pending, o, a, IVault.OrderPriceTooPoor.selector);
    }

    function test_open_fee_budget() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        a.venueFeeBps = 401;
        refuse(pending, o, a, IVault.VenueFeeTooSmall.selector);
        (o.makerAmount, o.takerAmount) = (299_251_870, 598_503_740);
        authorize(pending, o, a);
    }

    function test_open_pause_cancel_and_window() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        vm.prank(guardian, guardian);
        vault.pauseOpening();
        refuse(pending, o, a, IVault.OpeningIsPaused.selector);
        vm.prank(owner, owner);
        vault.resumeOpening();
        authorize(pending, o, a);
        vm.prank(alice, alice);
        vault.cancelPosition(pending);
        (o, a) = opening();
        refuse(pending, o, a, IVault.CancelWasRequested.selector);
        bytes32 key = create(requestOf(bytes16(uint128(13) << 100), 100e6, 30_000), alice);
        skip(301);
        o = orderOf(key, 0, 300e6, 600e6);
        refuse(key, o, attestation(IVault.Purpose.Open, 5_000, 5_000), IVault.OpenWindowOver.selector);
    }

    function test_open_in_the_last_second_of_the_window() public {
        skip(300);
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        authorize(pending, o, a);
    }

    function test_open_beyond_the_caps() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        vm.prank(owner, owner);
        pool.setOutcomeCap(yesOutcome, true, uint64(400e6 - 1));
        refuse(pending, o, a, ILiquidityPool.OutcomeCapExceeded.selector);
        vm.prank(owner, owner);
        pool.setOutcomeCap(yesOutcome, true, uint64(400e6));
        authorize(pending, o, a);
    }

    function test_open_beyond_liquidity() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        ILiquidityPool.Parameters memory p = pool.parametersOf();
        p.totalCapUsdcUnits = 400e6 - 1;
        vm.prank(owner, owner);
        pool.setParameters(p);
        refuse(pending, o, a, ILiquidityPool.LiquidityExceeded.selector);
        p.totalCapUsdcUnits = 400e6;
        vm.prank(owner, owner);
        pool.setParameters(p);
        authorize(pending, o, a);
    }

    function test_orders_need_the_state_of_their_purpose() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        refuse(held, o, a, IVault.WrongState.selector);
        (o, a) = closing();
        refuse(pending, o, a, IVault.WrongState.selector);
        a.purpose = 0;
        refuse(held, o, a, IVault.WrongState.selector);
        refuse(bytes32(uint256(404)), o, a, IVault.WrongState.selector);
    }

    function test_close_amount_price_and_request() public {
        IVenueExchange.Order memory o = orderOf(held, 1, 300e6, 150e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Close, 5_000, 5_000);
        refuse(held, o, a, IVault.CloseNotRequested.selector);
        vm.prank(alice, alice);
        vault.requestClose(held, 300e6, 5_200);
        refuse(held, o, a, IVault.OrderPriceTooPoor.selector);
        o.takerAmount = 155_999_999;
        refuse(held, o, a, IVault.OrderPriceTooPoor.selector);
        (o.makerAmount, o.takerAmount) = (300e6 + 1, 160e6);
        refuse(held, o, a, IVault.OrderAmountOutOfRange.selector);
        (o.makerAmount, o.takerAmount) = (600e6 + 1, 320e6);
        refuse(held, o, a, IVault.OrderAmountOutOfRange.selector);
        (o.makerAmount, o.takerAmount) = (300e6, 156e6);
        a.limitPips = 5_201;
        refuse(held, o, a, IVault.OrderPriceTooPoor.selector);
        a.limitPips = 5_000;
        authorize(held, o, a);
    }

    function test_close_below_the_debt_is_refused_whole_or_in_part() public {
        vm.prank(alice, alice);
        vault.requestClose(held, 600e6, 0);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Close, 3_400, 3_400);
        IVenueExchange.Order memory o = orderOf(held, 1, 300e6, 102e6);
        refuse(held, o, a, IVault.SaleBelowDebt.selector);
        o = orderOf(held, 1, 600e6, 204e6);
        refuse(held, o, a, IVault.SaleBelowDebt.selector);
    }

    function test_cover_edge_of_a_part() public {
        vm.prank(alice, alice);
        vault.requestClose(held, 300e6, 0);
        // 200 of debt on 600 tokens: 3,333.34 pips net, 3,455 x 0.965 = 3,334.1; 3,454 x 0.965 = 3,333.1.
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Close, 3_454, 3_454);
        IVenueExchange.Order memory o = orderOf(held, 1, 300e6, 104e6);
        refuse(held, o, a, IVault.SaleBelowDebt.selector);
        a = attestation(IVault.Purpose.Close, 3_455, 3_455);
        authorize(held, o, a);
    }

    function test_unwind_of_a_position_without_debt_is_refused() public {
        vm.prank(alice, alice);
        vault.addMargin(held, 1_000e6);
        IVenueExchange.Order memory o = orderOf(held, 1, 5e6, 3e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 5_000, 5_000);
        refuse(held, o, a, IVault.NotTriggered.selector);
        refuse(held, o, attestation(IVault.Purpose.Liquidate, 1, 1), IVault.NotLiquidatable.selector);
    }

    function test_unwind_with_a_fee_that_leaves_nothing() public {
        IVenueExchange.Order memory o = orderOf(held, 1, 600e6, 300e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 5_000, 5_000);
        a.venueFeeBps = 10_000;
        refuse(held, o, a, IVault.SaleBelowDebt.selector);
    }

    function test_liquidate_in_several_orders_with_a_fee_per_tranche() public {
        uint256 reserve = pool.bookOf().reserveUsdcUnits;
        sell(held, IVault.Purpose.Liquidate, 200e6, 3_600);
        assertState(held, IVault.PositionState.Open);
        assertEq(principalOf(held), 200e6 - 69_840_000, "all of it to the debt");
        ILiquidityPool.Parameters memory p = parametersWithTarget(5_000);
        vm.prank(owner, owner);
        pool.setParameters(p);
        sell(held, IVault.Purpose.Liquidate, 400e6, 3_546);
        assertState(held, IVault.PositionState.Liquidated);
        uint256 fee = 1_301_600;
        assertEq(pool.bookOf().reserveUsdcUnits - reserve, fee, "liquidation fee on principal repaid");
        assertSolvent();
    }

    function parametersWithTarget(uint16 bps) private view returns (ILiquidityPool.Parameters memory p) {
        p = pool.parametersOf();
        p.reserveTargetBps = bps;
    }

    function test_F11_a_frozen_feed_liquidates_nobody_and_a_gap_is_sold_at_its_own_price() public {
        IVenueExchange.Order memory o = orderOf(held, 1, 600e6, 216e6);
        IVault.PriceAttestation memory frozen = attestation(IVault.Purpose.Liquidate, 3_600, 3_600);
        frozen.observedAt = uint64(block.timestamp - 31);
        refuse(held, o, frozen, IVault.AttestationStale.selector);
        o = orderOf(held, 1, 600e6, 222e6);
        refuse(held, o, attestation(IVault.Purpose.Liquidate, 3_700, 3_700), IVault.NotLiquidatable.selector);
        sell(held, IVault.Purpose.Liquidate, 600e6, 3_000);
        assertState(held, IVault.PositionState.Liquidated);
        assertSolvent();
    }

    function test_liquidation_price_edge() public view {
        uint256 price = vault.liquidationPriceOf(held);
        (uint256 worth, uint256 threshold, bool liquidatable) = vault.healthOf(held, price);
        assertTrue(liquidatable && worth <= threshold, "liquidatable at the price");
        (, , liquidatable) = vault.healthOf(held, price + 1);
        assertTrue(!liquidatable, "not a pip above");
        (, , liquidatable) = vault.healthOf(held, 0);
        assertTrue(!liquidatable, "no price, no liquidation");
    }

    function test_a_new_order_books_the_old_sale_first() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = closing();
        authorize(held, o, a);
        fillWhole(o, 0);
        IVenueExchange.Order memory next = orderOf(held, 1, 100e6, 50e6);
        refuse(held, next, a, IVault.CloseNotRequested.selector);
        a.purpose = uint8(IVault.Purpose.Unwind);
        authorize(held, next, a);
        assertEq(vault.positionOf(held).tokenUnits, 300e6, "booked");
        assertEq(principalOf(held), 100e6, "under its own purpose");
    }

    function test_live_order_views() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        assertEq(vault.liveOrderOf(pending).orderHash, 0, "none");
        bytes32 orderHash = authorize(pending, o, a);
        assertEq(orderHash, exchange.hashOrder(o), "the exchange's hash");
        IVault.LiveOrder memory live = vault.liveOrderOf(pending);
        assertEq(live.orderHash, orderHash, "hash");
        assertEq(live.makerAmount, 300e6, "amount");
        assertEq(live.validUntil, block.timestamp + 120, "until");
        assertTrue(vault.isLiveOrder(pending, orderHash) && !vault.isLiveOrder(held, orderHash), "its own only");
        assertTrue(!vault.isLiveOrder(pending, bytes32(0)) && !vault.isLiveOrder(held, bytes32(0)), "never zero");
        skip(121);
        assertTrue(!vault.isLiveOrder(pending, orderHash), "dead after its time");
        finalize(pending);
        assertEq(vault.liveOrderOf(pending).orderHash, 0, "ended");
    }

    function test_allowance_is_exactly_order_and_fee() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        (o.makerAmount, o.takerAmount) = (298e6, 596e6);
        authorize(pending, o, a);
        address account = vault.accountOf(pending);
        assertEq(usdc.allowance(account, address(exchange)), 310e6, "makerAmount + venueFee");
        assertTrue(!tokens.isApprovedForAll(account, address(exchange)), "no tokens for a buy");
        (o, a) = closing();
        authorize(held, o, a);
        account = vault.accountOf(held);
        assertEq(usdc.allowance(account, address(exchange)), 0, "no USDC for a sale");
        assertTrue(tokens.isApprovedForAll(account, address(exchange)), "tokens for a sale");
    }
}
