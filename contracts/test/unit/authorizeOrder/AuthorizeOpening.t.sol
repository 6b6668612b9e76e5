// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {OrderFixture} from "../../fixtures/OrderFixture.sol";

/// @notice Every check of an opening order: price, fee budget, window, caps.
contract AuthorizeOpeningTest is OrderFixture {
    function test_open_first_order_of_a_partial_opening_reaches_the_floor() public {
        IVault.CreateRequest memory r = seeded(11);
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

    function test_V8_minimum_fill_binds_every_order_until_something_is_filled() public {
        IVault.CreateRequest memory r = seeded(13);
        r.minFillBps = 4_000;
        bytes32 key = create(r, alice);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        for (uint256 i = 0; i < 3; ++i) {
            refuse(key, orderOf(key, 0, 119_999_999, 240e6), a, IVault.OrderAmountOutOfRange.selector);
            authorize(key, orderOf(key, 0, 120e6, 240e6), a);
        }
        IVenueExchange.Order memory o = orderOf(key, 0, 120e6, 240e6);
        authorize(key, o, a);
        fill(o, 1e6, 2e6, 0);
        authorize(key, orderOf(key, 0, 10e6, 20e6), a);
    }

    function test_V8_exit_buffer_of_the_first_order_binds_later_ones_and_liquidations() public {
        bytes32 key = create(seeded(14), alice);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        a.exitBufferBps = 200;
        authorize(key, orderOf(key, 0, 300e6, 600e6), a);
        a.exitBufferBps = 1_500;
        IVenueExchange.Order memory o = orderOf(key, 0, 300e6, 600e6);
        authorize(key, o, a);
        fillWhole(o, 9e6);
        finalize(key);
        assertEq(vault.positionOf(key).exitBufferBps, 200, "of the first order");
        assertEq(vault.liquidationPriceOf(key), 3_433, "200 USD, 1 % and 2 % on 600 tokens");
        o = orderOf(key, 1, 600e6, 600e6);
        a = attestation(IVault.Purpose.Liquidate, 3_434, 3_434);
        a.exitBufferBps = 1_500;
        refuse(key, o, a, IVault.NotLiquidatable.selector);
        (a.markPips, a.limitPips) = (3_433, 3_433);
        authorize(key, o, a);
    }

    function test_open_price_against_limit_and_users_minimum() public {
        IVault.CreateRequest memory r = seeded(12);
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
        bytes32 key = create(seeded(13), alice);
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
}
