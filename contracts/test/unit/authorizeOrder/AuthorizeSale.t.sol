// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {OrderFixture} from "../../fixtures/OrderFixture.sol";

/// @notice Every check of an order that sells: request, price, cover of the debt, trigger, health.
contract AuthorizeSaleTest is OrderFixture {
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

    function test_F11_a_frozen_feed_liquidates_no_position_and_a_gap_is_sold_at_its_own_price() public {
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
}
