// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {CallbackFiller} from "../../fixtures/GrantFillers.sol";
import {GrantFixture} from "../../fixtures/GrantFixture.sol";

/// @notice Refusals of a fill, each by its own name, and the callback.
contract FillRulesTest is GrantFixture {
    function test_refuses_amounts_that_fit_nothing() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        refuseFill(key, uint256(1) << 48, 1, IVault.OrderAmountOutOfRange.selector);
        refuseFill(key, 1, uint256(1) << 48, IVault.OrderAmountOutOfRange.selector);
        refuseFill(key, 0, 0, IVault.GrantPartTooSmall.selector);
        refuseFill(key, 0, 1, IVault.GrantPriceTooPoor.selector);
        refuseFill(key, 600e6, 0, IVault.GrantPartTooSmall.selector);
        (uint256 given, uint256 taken) = vault.quoteFill(key, 0);
        assertEq(given + taken, 0, "nothing for nothing");
    }

    function test_refuses_a_unit_less_than_the_price() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        refuseFill(key, 600e6 - 1, 300e6, IVault.GrantPriceTooPoor.selector);
        refuseFill(key, 599_999_998, 299_999_999 + 1, IVault.GrantPriceTooPoor.selector);
        fillGrant(key, 599_999_998, 299_999_999);
        assertState(key, IVault.PositionState.Open);
        requestClose(key, 599_999_998, 0);
        grant(key, IVault.Purpose.Close, 599_999_998, 5_000, 5_000);
        refuseFill(key, 299_999_998, 599_999_998, IVault.GrantPriceTooPoor.selector);
        fillGrant(key, 299_999_999, 599_999_998);
        assertState(key, IVault.PositionState.Closed);
    }

    function test_refuses_fewer_than_the_users_tokens() public {
        IVault.CreateRequest memory r = request();
        // 49.996 cents: between two pips.
        r.minPositionTokenUnits = 600_048_004;
        bytes32 key = create(r, alice);
        grantOpen(key, 5_000, 5_000);
        assertEq(vault.grantOf(key).limitPips, 5_000, "the pip above");
        refuseFill(key, 600_048_003, 300e6, IVault.GrantPriceTooPoor.selector);
        (uint256 given, uint256 taken) = vault.quoteFill(key, 700e6);
        assertEq(given, 600_048_004, "the user's least");
        assertEq(taken, 300e6, "for the notional");
        (given, taken) = vault.quoteFill(key, 600_048_003);
        assertEq(taken, 299_999_999, "a unit less for a token less");
        fillGrant(key, given, taken);
        assertState(key, IVault.PositionState.Open);
    }

    function test_users_tokens_bind_the_limit_of_the_path() public {
        IVault.CreateRequest memory r = request();
        r.minPositionTokenUnits = 625e6;
        bytes32 key = create(r, alice);
        grantOpen(key, 5_000, 5_200);
        assertEq(vault.grantOf(key).limitPips, 4_800, "48 cents");
        assertEq(vault.grantOf(key).startPips, 4_800, "and never above");
        skip(10);
        (uint256 given, ) = fillAll(key);
        assertEq(given, 625e6, "as the user asked");
    }

    function test_users_price_binds_a_close_from_its_start() public {
        bytes32 key = openByFill();
        requestClose(key, 600e6, 5_500);
        grant(key, IVault.Purpose.Close, 600e6, 5_000, 4_800);
        assertEq(vault.grantOf(key).startPips, 5_500, "start");
        assertEq(vault.grantOf(key).limitPips, 5_500, "limit");
        refuseFill(key, 330e6 - 1, 600e6, IVault.GrantPriceTooPoor.selector);
        fillGrant(key, 330e6, 600e6);
        assertState(key, IVault.PositionState.Closed);
    }

    function test_first_purchase_is_the_users_minimum() public {
        IVault.CreateRequest memory r = request();
        r.minFillBps = 2_000;
        bytes32 key = create(r, alice);
        grantOpen(key, 5_000, 5_000);
        refuseFill(key, 120e6, 60e6 - 1, IVault.GrantPartTooSmall.selector);
        fillGrant(key, 120e6, 60e6);
        // A fifth of the grant from then on, or all that is left.
        refuseFill(key, 120e6, 60e6 - 1, IVault.GrantPartTooSmall.selector);
        (uint256 given, ) = vault.quoteFill(key, 119e6);
        assertEq(given, 0, "nor quoted");
        fillGrant(key, 440e6, 220e6);
        assertState(key, IVault.PositionState.Pending);
        fillGrant(key, 120e6, 60e6);
        assertState(key, IVault.PositionState.Open);
    }

    function test_atomic_opening_takes_99_percent_at_once() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        refuseFill(key, 594e6, 297e6 - 1, IVault.GrantPartTooSmall.selector);
        fillGrant(key, 594e6, 297e6);
        assertState(key, IVault.PositionState.Open);
    }

    function test_first_purchase_is_at_least_five_tokens() public {
        IVault.CreateRequest memory r = requestOf(seedOf(5), 2e6, 15_000);
        r.minFillBps = 1;
        bytes32 key = create(r, alice);
        grantOpen(key, 5_000, 5_000);
        refuseFill(key, 5e6 - 1, 2_499_999, IVault.GrantPartTooSmall.selector);
        fillGrant(key, 5e6, 2_500_000);
        assertState(key, IVault.PositionState.Pending);
    }

    function test_sale_in_parts_of_a_fifth_leaves_no_small_position() public {
        bytes32 key = openByFill();
        requestClose(key, 600e6, 0);
        grant(key, IVault.Purpose.Close, 600e6, 5_000, 5_000);
        refuseFill(key, 60e6, 120e6 - 1, IVault.GrantPartTooSmall.selector);
        refuseFill(key, 298e6, 596e6, IVault.GrantPartTooSmall.selector);
        fillGrant(key, 297_500_000, 595e6);
        assertState(key, IVault.PositionState.Open);
        // What exceeds the rest is cut: a race takes nothing from a fill that comes second.
        (uint256 given, uint256 taken) = fillGrant(key, 300e6, 600e6);
        assertEq(taken, 5e6, "the rest");
        assertEq(given, 2_500_000, "at its ratio");
        assertState(key, IVault.PositionState.Closed);
    }

    function test_sale_with_dust_left_is_done() public {
        bytes32 key = openByFill();
        requestClose(key, 600e6, 0);
        grant(key, IVault.Purpose.Close, 600e6, 5_000, 5_000);
        fillGrant(key, 300e6, 600e6 - 9_999);
        assertState(key, IVault.PositionState.Closed);
    }

    function test_hard_exit_below_the_debt_is_whole() public {
        bytes32 key = openByFill();
        grant(key, IVault.Purpose.Unwind, 600e6, 3_000, 3_000);
        refuseFill(key, 90e6, 300e6, IVault.GrantPartTooSmall.selector);
        (uint256 given, ) = vault.quoteFill(key, 90e6);
        assertEq(given, 0, "nor quoted");
        fillGrant(key, 180e6, 600e6);
        assertState(key, IVault.PositionState.Closed);
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 20e6, "what was missing");
    }

    function test_liquidation_that_is_no_longer_due_is_refused() public {
        bytes32 key = openByFill();
        uint32 price = uint32(vault.liquidationPriceOf(key));
        grant(key, IVault.Purpose.Liquidate, 600e6, price, price);
        vm.prank(alice, alice);
        vault.addMargin(key, 10e6);
        refuseFill(key, 300e6, 600e6, IVault.NotLiquidatable.selector);
        (uint256 given, ) = vault.quoteFill(key, 300e6);
        assertEq(given, 0, "nor quoted");
    }

    function test_margin_waits_for_the_booking_of_a_part() public {
        bytes32 key = openByFill();
        uint32 price = uint32(vault.liquidationPriceOf(key));
        grant(key, IVault.Purpose.Liquidate, 600e6, price, price);
        fillGrant(key, 150e6, 300e6);
        vm.prank(alice, alice);
        vm.expectRevert(IVault.SaleNotBooked.selector);
        vault.addMargin(key, 10e6);
        vm.prank(keeper, keeper);
        vault.endGrant(key);
        vm.prank(alice, alice);
        vault.addMargin(key, 10e6);
    }

    function test_pause_stops_the_fill_of_an_opening_alone() public {
        bytes32 held = openByFill(seeded(2), alice, 5_000);
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        requestClose(held, 600e6, 0);
        grant(held, IVault.Purpose.Close, 600e6, 5_000, 5_000);
        vm.prank(guardian, guardian);
        vault.pauseOpening();
        refuseFill(key, 600e6, 300e6, IVault.OpeningIsPaused.selector);
        (uint256 given, ) = vault.quoteFill(key, 600e6);
        assertEq(given, 0, "nor quoted");
        fillGrant(held, 300e6, 600e6);
    }

    function test_caller_with_data_is_paid_first_and_called() public {
        CallbackFiller contracted = new CallbackFiller(vault);
        fundFiller(address(contracted));
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        bytes memory call = abi.encodeCall(IVault.fill, (key, 700e6, 350e6, hex"c0de"));
        contracted.call(address(vault), call);
        assertState(key, IVault.PositionState.Open);
        assertEq(contracted.lastKey(), key, "key");
        assertEq(contracted.lastGive(), 600e6, "given after the cut");
        assertEq(contracted.lastTake(), 300e6, "taken after the cut");
        assertEq(keccak256(contracted.lastData()), keccak256(hex"c0de"), "its own data");
        requestClose(key, 600e6, 0);
        grant(key, IVault.Purpose.Close, 600e6, 5_000, 5_000);
        contracted.call(address(vault), abi.encodeCall(IVault.fill, (key, 300e6, 600e6, hex"01")));
        assertState(key, IVault.PositionState.Closed);
        assertSolvent();
    }
}
