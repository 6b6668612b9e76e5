// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Requests of owners to sell, and their outcomes.
contract RequestCloseTest is VaultFixture {
    function test_requestClose_edges() public {
        bytes32 key = open();
        vm.startPrank(alice, alice);
        vm.expectRevert(IVault.CloseOutOfRange.selector);
        vault.requestClose(key, 120e6 - 1, 0);
        vault.requestClose(key, 120e6, 10_000);
        vm.expectRevert(IVault.CloseOutOfRange.selector);
        vault.requestClose(key, 120e6, 10_001);
        vault.requestClose(key, 595e6, 0);
        vm.expectRevert(IVault.CloseOutOfRange.selector);
        vault.requestClose(key, 595e6 + 1, 0);
        vault.requestClose(key, type(uint256).max, 0);
        assertEq(vault.positionOf(key).closeTokenUnits, 600e6, "all");
        vault.requestClose(key, 0, 0);
        assertEq(vault.positionOf(key).closeTokenUnits, 0, "withdrawn");
        vm.stopPrank();
    }

    function test_small_positions_close_whole_only() public {
        bytes32 key = open(requestOf(seedOf(4), 1_000_000, 20_000), alice, 5_000);
        assertEq(vault.positionOf(key).tokenUnits, 4e6, "four tokens");
        vm.startPrank(alice, alice);
        vm.expectRevert(IVault.CloseOutOfRange.selector);
        vault.requestClose(key, 2e6, 0);
        vault.requestClose(key, 4e6, 0);
        vm.stopPrank();
        sell(key, IVault.Purpose.Close, 4e6, 6_000);
        assertState(key, IVault.PositionState.Closed);
    }

    function test_a_withdrawn_request_leaves_no_minimum_price() public {
        bytes32 key = open();
        vm.startPrank(alice, alice);
        vault.requestClose(key, 600e6, 1_234);
        vault.requestClose(key, 0, 1_234);
        vm.stopPrank();
        assertEq(vault.positionOf(key).closeTokenUnits, 0, "withdrawn");
        assertEq(vault.positionOf(key).closeMinPricePips, 0, "with its price");
    }

    /// @dev Limit: an unwind between request and sale can leave a remainder no order may leave; the owner asks again.
    function test_limit_close_request_beside_an_unwind_is_served_down_to_five_tokens() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 580e6, 0);
        sell(key, IVault.Purpose.Unwind, 18e6, 5_000);
        assertEq(vault.positionOf(key).closeTokenUnits, 580e6, "still asked");
        IVenueExchange.Order memory o = orderOf(key, 1, 580e6, 290e6);
        vm.expectRevert(IVault.RemainderTooSmall.selector);
        authorize(key, o, attestation(IVault.Purpose.Close, 5_000, 5_000));
        sell(key, IVault.Purpose.Close, 577e6, 5_000);
        assertEq(vault.positionOf(key).tokenUnits, 5e6, "the venue's smallest order is left");
        vm.prank(alice, alice);
        vault.requestClose(key, 5e6, 0);
        sell(key, IVault.Purpose.Close, 5e6, 5_000);
        assertState(key, IVault.PositionState.Closed);
    }

    function test_limit_new_close_request_is_swallowed_by_a_sale_not_yet_booked() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 200e6, 0);
        fillWhole(authorizeSale(key, IVault.Purpose.Close, 200e6, 5_000), 0);
        vm.prank(alice, alice);
        vault.requestClose(key, 150e6, 4_000);
        finalize(key);
        assertEq(vault.positionOf(key).closeTokenUnits, 0, "the second request is gone");
    }

    function test_a_fifth_of_the_tokens_is_rounded_up() public {
        bytes32 key = create();
        fill(authorizeOpen(key, 5_000), 300e6, 600e6 + 1, 0);
        finalize(key);
        assertEq(vault.positionOf(key).originalTokenUnits, 600e6 + 1, "one unit more");
        vm.startPrank(alice, alice);
        vm.expectRevert(IVault.CloseOutOfRange.selector);
        vault.requestClose(key, 120e6, 0);
        vault.requestClose(key, 120e6 + 1, 0);
        vm.stopPrank();
        assertEq(vault.positionOf(key).closeTokenUnits, 120e6 + 1, "a fifth, rounded up");
    }

    function test_no_part_is_smaller_than_the_venues_smallest_order() public {
        bytes32 key = open(requestOf(seedOf(4), 5e6, 20_000), alice, 5_000);
        assertEq(vault.positionOf(key).tokenUnits, 20e6, "twenty tokens");
        vm.startPrank(alice, alice);
        vm.expectRevert(IVault.CloseOutOfRange.selector);
        vault.requestClose(key, 5e6 - 1, 0);
        vault.requestClose(key, 5e6, 0);
        vm.stopPrank();
        assertEq(vault.positionOf(key).closeTokenUnits, 5e6, "five tokens");
    }
}
