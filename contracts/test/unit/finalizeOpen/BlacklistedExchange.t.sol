// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice An order ends even while USDC refuses to take its allowance back from a blacklisted exchange.
contract BlacklistedExchangeTest is VaultFixture {
    function test_a_blacklisted_exchange_locks_no_opening_in() public {
        bytes32 key = create(tenfoldFree(1), alice);
        authorizeOpen(key, 5_000);
        usdc.setBlacklisted(address(exchange), true);
        skip(400);
        uint256 before = usdc.balanceOf(alice);
        vm.prank(alice, alice);
        vault.cancelPosition(key);
        assertState(key, IVault.PositionState.Cancelled);
        assertEq(usdc.balanceOf(alice) - before, 1_500e6, "collateral and both budgets");
        assertEq(cashOf(key), 0, "the account is empty");
        assertSolvent();
    }

    function test_a_blacklisted_exchange_stops_neither_finalize_nor_a_batch_nor_settle() public {
        bytes32 one = create(tenfoldFree(1), alice);
        authorizeOpen(one, 5_000);
        bytes32 two = create(tenfoldFree(2), alice);
        fillWhole(authorizeOpen(two, 5_000), 0);
        bytes32 sale = open(requestOf(seedOf(3), 1_000e6, 20_000), alice, 5_000);
        vm.prank(alice, alice);
        vault.requestClose(sale, 4_000e6, 0);
        authorizeSale(sale, IVault.Purpose.Close, 4_000e6, 5_000);
        usdc.setBlacklisted(address(exchange), true);
        bytes32[] memory keys = new bytes32[](3);
        (keys[0], keys[1], keys[2]) = (one, two, sale);
        vm.prank(keeper, keeper);
        vault.finalizeMany(keys);
        assertState(one, IVault.PositionState.Reverted);
        assertState(two, IVault.PositionState.Open);
        assertEq(uint256(vault.liveOrderOf(sale).purpose), 0, "the sale's order is over");
        resolve(1, 0);
        vault.settle(two);
        assertState(two, IVault.PositionState.Settled);
        assertSolvent();
    }

    /// @dev Remainder: an allowance that cannot be removed, over an account that is empty.
    function test_limit_an_allowance_stays_while_the_exchange_is_blacklisted() public {
        bytes32 key = create(tenfoldFree(1), alice);
        authorizeOpen(key, 5_000);
        address account = vault.accountOf(key);
        usdc.setBlacklisted(address(exchange), true);
        finalize(key);
        assertGe(usdc.allowance(account, address(exchange)), 1, "USDC refused to take it off");
        assertEq(usdc.balanceOf(account), 0, "there is nothing to pull");
    }

    function test_an_allowance_that_starved_is_not_left_on() public {
        bytes32 key = create(tenfoldFree(1), alice);
        authorizeOpen(key, 5_000);
        skip(400);
        for (uint256 gasLimit = 120_000; gasLimit < 3_000_000; gasLimit += 3_001) {
            vm.prank(bob, bob);
            (bool done, ) = address(vault).call{gas: gasLimit}(abi.encodeCall(vault.finalize, (key)));
            if (!done) continue;
            assertEq(usdc.allowance(vault.accountOf(key), address(exchange)), 0, "off with whatever gas it ended");
            return;
        }
        revert("no gas was enough");
    }
}
