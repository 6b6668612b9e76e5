// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../fixtures/VaultFixture.sol";

/// @notice V7: a keeper who holds a position by orders without a buyer, one after the other, for ever.
contract WayOutTest is VaultFixture {
    bytes32 private key;

    /// @dev Each step is a call of its own: via-IR keeps the time it has read within one.
    function later(uint256 elapsed) external {
        skip(elapsed);
    }

    /// @dev An order at a price that finds no buyer, a moment before or after the last one ends.
    function renew(IVault.Purpose purpose, uint32 pricePips) external returns (bool done, bytes4 reason) {
        IVenueExchange.Order memory o = orderOf(key, 1, 100e6, (100e6 * uint256(pricePips)) / 10_000);
        IVault.PriceAttestation memory a = attestation(purpose, pricePips, pricePips);
        bytes memory call = abi.encodeCall(
            IVault.authorizeOrder,
            (key, purpose, o, uint64(block.timestamp + 60), a, signAttestation(a))
        );
        vm.prank(keeper, keeper);
        bytes memory answer;
        (done, answer) = address(vault).call(call);
        if (!done) reason = bytes4(answer);
    }

    function test_V7_attack_keeper_renews_unfillable_orders_for_ever() public {
        key = open();
        for (uint256 i = 0; i < 20; ++i) {
            (bool granted, ) = this.renew(IVault.Purpose.Unwind, 9_900);
            assertTrue(granted, "an order without a buyer");
            vm.prank(alice, alice);
            vm.expectPartialRevert(IVault.OrderLive.selector);
            vault.exitByRepaying(key, alice);
            this.later(59);
        }
        (bool last, ) = this.renew(IVault.Purpose.Unwind, 9_900);
        assertTrue(last, "and one more");
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        uint256 before = usdc.balanceOf(alice);
        vm.prank(alice, alice);
        assertEq(vault.addMargin(key, type(uint128).max), principal + fees, "taken beside the live order");
        refusesEverySale();
        this.later(61);
        refusesEverySale();
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertState(key, IVault.PositionState.Closed);
        assertEq(before - usdc.balanceOf(alice), principal + fees, "the exit costs nothing more");
        assertEq(tokens.balanceOf(alice, yesId), 600e6, "all tokens");
        assertSolvent();
    }

    /// @dev Without debt there is nothing to unwind or to liquidate, and the owner has not asked to close.
    function refusesEverySale() private {
        bytes4[3] memory reasons = [
            IVault.CloseNotRequested.selector,
            IVault.NotTriggered.selector,
            IVault.NotLiquidatable.selector
        ];
        for (uint256 i = 0; i < 3; ++i) {
            (bool granted, bytes4 reason) = this.renew(IVault.Purpose(2 + i), 9_900);
            assertTrue(!granted && reason == reasons[i], "no order without debt or request");
        }
    }

    /// @dev The same against a keeper who serves a request at the owner's own price, which finds no buyer: the owner
    /// withdraws it.
    function test_V7_owner_withdraws_the_request_that_the_keeper_renews_orders_for() public {
        key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 9_900);
        for (uint256 i = 0; i < 5; ++i) {
            (bool granted, ) = this.renew(IVault.Purpose.Close, 9_900);
            assertTrue(granted, "an order without a buyer");
            this.later(59);
        }
        vm.startPrank(alice, alice);
        vault.requestClose(key, 0, 0);
        vault.addMargin(key, type(uint128).max);
        vm.stopPrank();
        refusesEverySale();
        this.later(61);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertState(key, IVault.PositionState.Closed);
    }
}
