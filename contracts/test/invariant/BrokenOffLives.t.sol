// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {VaultFixture} from "../fixtures/VaultFixture.sol";

/// @notice Lives broken off by a keeper who is gone or a market that resolves.
contract BrokenOffLivesTest is VaultFixture {
    function test_keeper_gone_at_every_step() public {
        uint256 before = usdc.balanceOf(alice);
        bytes32 key = create();
        skip(301);
        vm.prank(alice, alice);
        vault.finalize(key);
        assertEq(usdc.balanceOf(alice), before, "created, never ordered");

        key = create(seeded(2), alice);
        authorizeOpen(key, 5_000);
        skip(121);
        vm.prank(alice, alice);
        vault.cancelPosition(key);
        assertState(key, IVault.PositionState.Cancelled);
        assertEq(usdc.balanceOf(alice), before, "ordered, never filled");

        key = create(seeded(3), alice);
        fillWhole(authorizeOpen(key, 5_000), 9e6);
        skip(301);
        vm.startPrank(alice, alice);
        vault.finalize(key);
        vault.exitByRepaying(key, alice);
        vm.stopPrank();
        assertState(key, IVault.PositionState.Closed);

        key = open(seeded(4), alice, 5_000);
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000);
        skip(61);
        resolve(1, 0);
        vm.prank(alice, alice);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        assertSolvent();
    }

    function test_market_resolves_at_every_step() public {
        bytes32 created = create();
        bytes32 ordered = create(seeded(2), alice);
        authorizeOpen(ordered, 5_000);
        bytes32 filled = create(seeded(3), alice);
        fillWhole(authorizeOpen(filled, 5_000), 9e6);
        bytes32 opened = open(seeded(4), alice, 5_000);
        bytes32 selling = open(seeded(5), alice, 5_000);
        vm.prank(alice, alice);
        vault.requestClose(selling, 600e6, 0);
        authorizeSale(selling, IVault.Purpose.Close, 600e6, 5_000);
        bytes32 sold = open(seeded(6), alice, 5_000);
        vm.prank(alice, alice);
        vault.requestClose(sold, 300e6, 0);
        fillWhole(authorizeSale(sold, IVault.Purpose.Close, 300e6, 5_000), 0);
        resolve(1, 0);
        bytes32[6] memory keys = [created, ordered, filled, opened, selling, sold];
        for (uint256 i = 0; i < keys.length; ++i) {
            vm.prank(stranger, stranger);
            vault.settle(keys[i]);
            assertState(keys[i], i < 2 ? IVault.PositionState.Reverted : IVault.PositionState.Settled);
            assertEq(cashOf(keys[i]) + tokensOf(keys[i]), 0, "nothing left behind");
            vm.expectRevert(abi.encodeWithSelector(IVault.WrongState.selector, stateOf(keys[i])));
            vault.settle(keys[i]);
        }
        assertEq(pool.bookOf().lentUsdcUnits, 0, "every loan repaid");
        assertSolvent();
    }
}
