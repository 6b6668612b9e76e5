// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Orders exactly at a bound are authorised: the highest price, the greatest amounts, the least cover.
contract OrderBoundsTest is VaultFixture {
    function askForAll(bytes32 key) private {
        vm.prank(alice, alice);
        vault.requestClose(key, type(uint256).max, 0);
    }

    function test_a_mark_and_a_limit_of_one_dollar_are_prices() public {
        bytes32 key = open();
        askForAll(key);
        IVenueExchange.Order memory o = orderOf(key, 1, 600e6, 600e6);
        authorize(key, o, attestation(IVault.Purpose.Close, 10_000, 10_000));
        assertEq(vault.liveOrderOf(key).makerAmount, 600e6, "authorised");
    }

    function test_an_order_is_emitted_with_its_mark_and_its_limit() public {
        bytes32 key = open();
        askForAll(key);
        IVenueExchange.Order memory o = orderOf(key, 1, 600e6, 330e6);
        bytes32 orderHash = exchange.hashOrder(o);
        vm.expectEmit();
        emit IVault.OrderAuthorized(
            key,
            orderHash,
            IVault.Purpose.Close,
            600e6,
            330e6,
            block.timestamp + 60,
            6_000,
            5_500
        );
        authorize(key, o, attestation(IVault.Purpose.Close, 6_000, 5_500));
    }

    /// @dev 281 million tokens at a hundredth of a cent: bought by one order, all of them sold by another.
    function test_orders_of_as_many_tokens_as_are_stored_are_authorised() public {
        uint256 greatest = type(uint48).max;
        fundMakerWith(greatest);
        bytes32 key = create(requestOf(seedOf(1), 9_382e6, 30_000), alice);
        IVenueExchange.Order memory o = orderOf(key, 0, 28_146e6, greatest);
        authorize(key, o, attestation(IVault.Purpose.Open, 1, 1));
        fillWhole(o, 0);
        finalize(key);
        assertEq(vault.positionOf(key).tokenUnits, greatest, "held");
        askForAll(key);
        authorize(key, orderOf(key, 1, greatest, 28_147_497_672), attestation(IVault.Purpose.Close, 1, 1));
        assertEq(vault.liveOrderOf(key).makerAmount, greatest, "and for sale");
    }

    function fundMakerWith(uint256 tokenUnits) private {
        uint256[] memory partition = new uint256[](2);
        (partition[0], partition[1]) = (1, 2);
        usdc.mint(maker, tokenUnits);
        vm.prank(maker, maker);
        tokens.splitPosition(address(usdc), bytes32(0), conditionId, partition, tokenUnits);
    }

    /// @dev 600 tokens at 34 cents less 3.5 % bring 196.86 USD: the debt with its fees, to the unit.
    function test_a_close_that_covers_debt_and_fees_exactly_is_authorised() public {
        bytes32 key = open();
        askForAll(key);
        skip(30 days);
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        assertGe(fees, 1e6, "a month of fees");
        IVenueExchange.Order memory o = orderOf(key, 1, 600e6, 204e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Close, 3_400, 3_400);
        vm.prank(alice, alice);
        vault.addMargin(key, principal + fees - 196_860_000 - 1);
        vm.expectRevert(IVault.SaleBelowDebt.selector);
        authorize(key, o, a);
        vm.prank(alice, alice);
        vault.addMargin(key, 1);
        (principal, fees) = vault.debtOf(key);
        assertEq(principal + fees, 196_860_000, "one unit less is owed");
        authorize(key, o, a);
        assertEq(vault.liveOrderOf(key).makerAmount, 600e6, "authorised");
    }
}
