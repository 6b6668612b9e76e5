// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {GrantFixture} from "../../fixtures/GrantFixture.sol";

/// @notice Every step of a position's life by fills of anyone, to the unit.
contract FillLifeTest is GrantFixture {
    function test_opening_filled_at_the_start_pays_the_mark_and_no_fee() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_100);
        uint256 before = usdc.balanceOf(alice);
        vm.expectEmit();
        emit IVault.GrantFilled(key, filler, IVault.Purpose.Open, 300e6, 600e6, 0);
        vm.expectEmit();
        emit IVault.GrantEnded(key, IVault.Purpose.Open, 300e6);
        (uint256 given, uint256 taken) = fillGrant(key, 600e6, 300e6);
        assertEq(given, 600e6, "tokens given");
        assertEq(taken, 300e6, "USDC taken");
        assertState(key, IVault.PositionState.Open);
        assertEq(tokensOf(key), 600e6, "tokens");
        assertEq(principalOf(key), 200e6, "loan");
        assertEq(usdc.balanceOf(alice) - before, 12e6, "the whole fee budget goes back");
        assertEq(usdc.balanceOf(filler), 1_000_300e6, "the filler has the mark");
        assertNoGrant(key);
        assertAllowancesOff(key);
        assertSolvent();
    }

    function test_opening_filled_at_the_end_pays_limit_and_fee() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_100);
        uint256 before = usdc.balanceOf(alice);
        skip(10);
        (uint256 given, uint256 taken) = fillAll(key);
        assertEq(taken, 300e6 + 10_500_000, "trade and 3.5 %");
        assertEq(given, (uint256(300e6) * 10_000 + 5_099) / 5_100, "at 51 cents, ceil");
        assertEq(principalOf(key), 200e6, "loan");
        assertEq(usdc.balanceOf(alice) - before, 1_500_000, "what the fee left");
        assertSolvent();
    }

    function test_price_after_a_quarter_of_the_time_is_half_way() public {
        bytes32 key = create();
        IVault.GrantAttestation memory a = grantAttestation(IVault.Purpose.Open, 5_000, 5_100, 300e6);
        a.validFor = 20;
        authorizeGrant(key, 300e6, a);
        skip(5);
        // 50.5 cents and half of 3.5 %.
        uint256 give = 600e6;
        (uint256 given, uint256 taken) = vault.quoteFill(key, give);
        assertEq(given, (305_250_000 * uint256(1e8) + 51_383_750 - 1) / 51_383_750, "cut to the grant, ceil");
        assertEq(taken, 305_250_000, "the notional and 1.75 %");
        refuseFill(key, given - 1, taken, IVault.GrantPriceTooPoor.selector);
        fillGrant(key, given, taken);
        assertState(key, IVault.PositionState.Open);
    }

    function test_price_stays_at_the_limit_from_half_of_the_time_on() public {
        bytes32 key = create();
        IVault.GrantAttestation memory a = grantAttestation(IVault.Purpose.Open, 5_000, 5_070, 300e6);
        (a.validFor, a.venueFeeBps) = (7, 350);
        authorizeGrant(key, 300e6, a);
        skip(3);
        (, uint256 taken) = vault.quoteFill(key, type(uint256).max);
        assertEq(taken, 309e6, "six of seven parts of the fee");
        uint256 given;
        for (uint256 second = 4; second <= 7; ++second) {
            skip(1);
            (given, taken) = vault.quoteFill(key, type(uint256).max);
            assertEq(taken, 310_500_000, "the whole fee part");
            assertEq(given, (uint256(300e6) * 10_000 + 5_069) / 5_070, "at the limit, ceil");
        }
        refuseFill(key, given - 1, taken, IVault.GrantPriceTooPoor.selector);
        fillGrant(key, given, taken);
        assertState(key, IVault.PositionState.Open);
    }

    function test_amounts_are_cut_at_the_callers_ratio() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        (uint256 given, uint256 taken) = fillGrant(key, 1_300e6 + 1, 600e6);
        assertEq(taken, 300e6, "no more than the grant");
        assertEq(given, 650e6 + 1, "at the ratio that was offered, ceil");
        assertEq(tokensOf(key), 650e6 + 1, "the better price is the user's");
    }

    function test_close_of_a_part_and_of_all() public {
        bytes32 key = openByFill();
        requestClose(key, 200e6, 0);
        grant(key, IVault.Purpose.Close, 200e6, 5_500, 5_400);
        uint256 before = usdc.balanceOf(alice);
        vm.expectEmit();
        emit IVault.GrantFilled(key, filler, IVault.Purpose.Close, 110e6, 200e6, 0);
        fillGrant(key, 110e6, 200e6);
        assertState(key, IVault.PositionState.Open);
        assertEq(vault.positionOf(key).tokenUnits, 400e6, "left");
        assertEq(vault.positionOf(key).closeTokenUnits, 0, "served");
        assertEq(principalOf(key), 133_333_333, "its share of the loan");
        assertEq(usdc.balanceOf(alice) - before, 110e6 - 66_666_667, "the rest");
        requestClose(key, 400e6, 0);
        skip(1);
        grant(key, IVault.Purpose.Close, 400e6, 5_500, 5_400);
        skip(10);
        (uint256 given, ) = fillAll(key);
        assertEq(given, 400e6 * uint256(5_400) * 9_650 / 1e8, "limit less the fee");
        assertState(key, IVault.PositionState.Closed);
        assertEq(principalOf(key), 0, "repaid");
        assertSolvent();
    }

    function test_unwind_repays_the_debt() public {
        bytes32 key = openByFill();
        IVault.GrantAttestation memory a = grantAttestation(IVault.Purpose.Unwind, 4_000, 3_900, 400e6);
        a.triggerPips = 3_000;
        authorizeGrant(key, 400e6, a);
        fillAll(key);
        assertEq(principalOf(key), 40e6, "160 of 200 repaid at the mark");
        assertEq(vault.positionOf(key).tokenUnits, 200e6, "left");
    }

    function test_liquidation_pays_its_fee() public {
        bytes32 key = openByFill();
        uint32 price = uint32(vault.liquidationPriceOf(key));
        grant(key, IVault.Purpose.Liquidate, 600e6, price, price - 50);
        vm.recordLogs();
        fillAll(key);
        assertEq(liquidationFeesEmitted(), 2e6, "1 % of the loan");
        assertState(key, IVault.PositionState.Liquidated);
        assertSolvent();
    }

    function test_settles_after_a_fill_that_is_not_booked() public {
        bytes32 key = openByFill();
        requestClose(key, 600e6, 0);
        grant(key, IVault.Purpose.Close, 600e6, 5_000, 5_000);
        fillGrant(key, 150e6, 300e6);
        assertEq(vault.grantOf(key).filledUnits, 300e6, "filled");
        resolve(1, 0);
        refuseFill(key, 150e6, 300e6, IVault.OutcomeDecided.selector);
        uint256 before = usdc.balanceOf(alice);
        vm.prank(stranger, stranger);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        assertEq(usdc.balanceOf(alice) - before, 250e6, "150 sold, 300 won, 200 repaid");
        assertNoGrant(key);
        assertSolvent();
    }

    function test_unfilled_grant_gives_everything_back() public {
        uint256 before = usdc.balanceOf(alice);
        bytes32 key = create();
        grantOpen(key, 5_000, 5_100);
        skip(11);
        refuseFill(key, 600e6, 300e6, IVault.GrantNotLive.selector);
        vm.prank(alice, alice);
        vault.cancelPosition(key);
        assertState(key, IVault.PositionState.Cancelled);
        assertEq(usdc.balanceOf(alice), before, "all of it");
        assertSolvent();
    }

    function test_cancel_waits_for_the_end_of_the_grant() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_100);
        vm.prank(alice, alice);
        vault.cancelPosition(key);
        assertState(key, IVault.PositionState.Pending);
        fillAll(key);
        assertState(key, IVault.PositionState.Open);
    }

    function test_opening_in_parts_opens_with_the_last() public {
        IVault.CreateRequest memory r = request();
        r.minFillBps = 2_000;
        bytes32 key = create(r, alice);
        grantOpen(key, 5_000, 5_000);
        fillGrant(key, 200e6, 100e6);
        assertState(key, IVault.PositionState.Pending);
        fillGrant(key, 200e6, 100e6);
        // One hundredth of the grant is left.
        fillGrant(key, 194e6, 97e6);
        assertState(key, IVault.PositionState.Open);
        assertEq(tokensOf(key), 594e6, "all that came");
        assertEq(principalOf(key), 198e6, "its share of the loan");
    }

    function test_ended_grant_counts_for_the_next() public {
        IVault.CreateRequest memory r = request();
        r.minFillBps = 2_000;
        bytes32 key = create(r, alice);
        grantOpen(key, 5_000, 5_000);
        fillGrant(key, 200e6, 100e6);
        vm.prank(guardian, guardian);
        vault.endGrant(key);
        assertEq(vault.positionOf(key).filledUsdcUnits, 100e6, "counted");
        assertNoGrant(key);
        skip(1);
        grant(key, IVault.Purpose.Open, 200e6, 5_000, 5_000);
        // Less than the user's first purchase: it is none any more.
        fillGrant(key, 80e6, 40e6);
        fillAll(key);
        assertState(key, IVault.PositionState.Open);
        assertEq(tokensOf(key), 600e6, "both");
        assertEq(principalOf(key), 200e6, "the whole loan");
    }

    function test_routes_follow_each_other() public virtual {
        IVault.CreateRequest memory r = request();
        r.minFillBps = 2_000;
        bytes32 key = create(r, alice);
        grantOpen(key, 5_000, 5_000);
        fillGrant(key, 200e6, 100e6);
        fillWhole(authorizeRest(key), 0);
        finalize(key);
        assertState(key, IVault.PositionState.Open);
        assertEq(tokensOf(key), 600e6, "of both routes");
        assertEq(principalOf(key), 200e6, "the whole loan");
        requestClose(key, 600e6, 0);
        fillWhole(authorizeSale(key, IVault.Purpose.Close, 300e6, 6_000), 0);
        grant(key, IVault.Purpose.Close, 300e6, 6_000, 6_000);
        assertEq(vault.positionOf(key).tokenUnits, 300e6, "the order was booked");
        assertAllowancesOff(key);
        assertTrue(!vault.isLiveOrder(key, bytes32(0)), "no hash is live");
        fillAll(key);
        assertState(key, IVault.PositionState.Closed);
        assertSolvent();
    }

    function authorizeRest(bytes32 key) private returns (IVenueExchange.Order memory o) {
        o = orderOf(key, 0, 200e6, 400e6);
        authorize(key, o, attestation(IVault.Purpose.Open, 5_000, 5_000));
    }

    function test_views_show_the_grant() public {
        bytes32 key = create();
        IVault.GrantAttestation memory a = grantAttestation(IVault.Purpose.Open, 5_000, 5_100, 300e6);
        a.notAfter = uint64(block.timestamp + 4);
        vm.expectEmit();
        emit IVault.GrantAuthorized(
            key,
            IVault.Purpose.Open,
            300e6,
            5_000,
            5_000,
            5_100,
            350,
            10,
            block.timestamp + 4
        );
        authorizeGrant(key, 300e6, a);
        IVault.LiveGrant memory g = vault.grantOf(key);
        assertEq(uint256(g.purpose), uint256(IVault.Purpose.Open), "purpose");
        assertEq(g.mostUnits, 300e6, "most");
        assertEq(g.startsAt, block.timestamp, "starts");
        assertEq(g.validFor, 10, "valid for");
        assertEq(g.endsAt, block.timestamp + 4, "ends");
        assertEq(g.startPips, 5_000, "start");
        assertEq(g.limitPips, 5_100, "limit");
        assertEq(g.venueFeeBps, 350, "fee");
        assertEq(g.markPips, 5_000, "mark");
        IVault.LiveOrder memory o = vault.liveOrderOf(key);
        assertEq(o.orderHash, bytes32(0), "no hash");
        assertEq(o.makerAmount, 300e6, "amount");
        assertEq(o.validUntil, block.timestamp + 4, "until");
        skip(4);
        (uint256 given, ) = vault.quoteFill(key, type(uint256).max);
        assertTrue(given != 0, "the last second counts");
        skip(1);
        (given, ) = vault.quoteFill(key, type(uint256).max);
        assertEq(given, 0, "over");
    }
}
