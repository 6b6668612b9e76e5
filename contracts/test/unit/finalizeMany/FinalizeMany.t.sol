// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice A batch ends what can be ended and passes over the rest.
contract FinalizeManyTest is VaultFixture {
    function test_finalizeMany_skips_what_has_nothing_to_do() public {
        bytes32 a = create();
        bytes32 b = open(seeded(2), alice, 5_000);
        bytes32 c = create(seeded(3), bob);
        bytes32[] memory keys = new bytes32[](5);
        (keys[0], keys[1], keys[2], keys[3], keys[4]) = (a, b, c, bytes32(0), a);
        vm.prank(stranger, stranger);
        vault.finalizeMany(keys);
        assertState(a, IVault.PositionState.Pending);
        vm.prank(keeper, keeper);
        vault.finalizeMany(keys);
        assertState(a, IVault.PositionState.Reverted);
        assertState(b, IVault.PositionState.Open);
        assertState(c, IVault.PositionState.Reverted);
    }

    function test_finalizeMany_begins_with_the_first_key() public {
        bytes32[] memory keys = new bytes32[](1);
        keys[0] = create();
        fillWhole(authorizeOpen(keys[0], 5_000), 9e6);
        vm.prank(keeper, keeper);
        vault.finalizeMany(keys);
        assertState(keys[0], IVault.PositionState.Open);
    }

    function test_finalizeMany_takes_duplicates_and_junk() public {
        bytes32 key = create();
        fillWhole(authorizeOpen(key, 5_000), 9e6);
        bytes32[] memory keys = new bytes32[](4);
        (keys[0], keys[1], keys[2], keys[3]) = (key, bytes32(0), key, keccak256("unknown key"));
        vm.prank(keeper, keeper);
        vault.finalizeMany(keys);
        assertState(key, IVault.PositionState.Open);
        vm.prank(stranger, stranger);
        vault.finalizeMany(keys);
        assertEq(vault.positionOf(key).tokenUnits, 600e6, "once");
    }

    function test_limit_one_blacklisted_account_stops_a_batch_and_nothing_else() public {
        bytes32 one = create(requestOf(seedOf(1), 1_000e6, 20_000), alice);
        authorizeOpen(one, 5_000);
        bytes32 two = create(requestOf(seedOf(2), 1_000e6, 20_000), bob);
        authorizeOpen(two, 5_000);
        usdc.setBlacklisted(vault.accountOf(one), true);
        bytes32[] memory keys = new bytes32[](2);
        (keys[0], keys[1]) = (one, two);
        vm.prank(keeper, keeper);
        (bool ended, ) = address(vault).call(abi.encodeCall(vault.finalizeMany, (keys)));
        assertTrue(!ended, "the blacklisted account cannot pay its loan back");
        finalize(two);
        assertState(two, IVault.PositionState.Reverted);
    }

    /// @dev Money that waits in an account is divided by the end of an order or by a claim, never by a batch.
    function test_finalizeMany_leaves_accounts_without_an_order_alone() public {
        bytes32[] memory keys = new bytes32[](2);
        (keys[0], keys[1]) = (open(), open(seeded(2), alice, 5_000));
        closeAll(keys[1], 6_000);
        usdc.mint(vault.accountOf(keys[0]), 5e6);
        usdc.mint(vault.accountOf(keys[1]), 6e6);
        vm.prank(keeper, keeper);
        vault.finalizeMany(keys);
        assertEq(cashOf(keys[0]), 5e6, "an open position without an order");
        assertEq(cashOf(keys[1]), 6e6, "a closed one");
    }
}
