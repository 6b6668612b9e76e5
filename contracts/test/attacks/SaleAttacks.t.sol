// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../fixtures/VaultFixture.sol";

/// @notice Attacks on a sale, its order and its booking; each fails here.
contract SaleAttacksTest is VaultFixture {
    function test_attack_stale_sale_filled_after_revoke_through_preapproval() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        IVenueExchange.Order memory o = preapproved(authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000));
        finalize(key);
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(yesId, 0, 300e6, 600e6);
        vm.expectRevert(bytes("ERC1155: need operator approval for 3rd party transfers."));
        matchWith(o, makers, 600e6, 0);
        assertEq(tokensOf(key), 600e6, "tokens still there");
    }

    function test_attack_keeper_takes_band_and_builder_fees_by_needless_unwinds() public {
        bytes32 key = open();
        IVenueExchange.Order memory o = orderOf(key, 1, 400e6, 200e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 5_000, 5_000);
        a.triggerPips = 3_334;
        vm.expectRevert(IVault.NotTriggered.selector);
        authorize(key, o, a);
        a.triggerPips = 3_333;
        o.builder = bytes32("a friend of the keeper");
        vm.expectRevert(abi.encodeWithSelector(IVault.BuilderNotAllowed.selector, o.builder));
        authorize(key, o, a);
        o.builder = bytes32("builder");
        authorize(key, o, a);
    }

    function test_attack_unwind_sells_more_than_the_debt_needs() public {
        bytes32 key = open();
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 5_000, 5_000);
        uint256 maximum = uint256(200e6) * 1e8 / (uint256(5_000) * 9_650) + 1 + 5e6;
        IVenueExchange.Order memory o = orderOf(key, 1, maximum + 1, maximum);
        vm.expectRevert(IVault.OrderAmountOutOfRange.selector);
        authorize(key, o, a);
        authorize(key, orderOf(key, 1, maximum, maximum), a);
    }

    function test_attack_remainders_under_five_tokens() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        IVenueExchange.Order memory o = orderOf(key, 1, 595_000_001, 300e6);
        vm.expectRevert(IVault.RemainderTooSmall.selector);
        authorize(key, o, attestation(IVault.Purpose.Close, 5_000, 5_000));
        vm.prank(alice, alice);
        vm.expectRevert(IVault.CloseOutOfRange.selector);
        vault.requestClose(key, 595_000_001, 0);
        authorize(key, orderOf(key, 1, 599_990_001, 300e6), attestation(IVault.Purpose.Close, 5_000, 5_000));
    }

    function test_attack_liquidation_late_behind_a_band() public {
        bytes32 key = open();
        IVenueExchange.Order memory o = orderOf(key, 1, 600e6, 30e6);
        authorize(key, o, attestation(IVault.Purpose.Liquidate, 3_600, 500));
        vm.prank(keeper, keeper);
        vault.finalize(key);
        o = orderOf(key, 1, 600e6, 30e6);
        vm.expectRevert(abi.encodeWithSelector(IVault.NotLiquidatable.selector, 3_633));
        authorize(key, o, attestation(IVault.Purpose.Liquidate, 3_634, 500));
    }

    function test_attack_one_unwind_attestation_spent_on_healthy_positions() public {
        bytes32 weak = open();
        bytes32 healthy = open(requestOf(seedOf(3), 100e6, 20_000), bob, 5_000);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 5_000, 5_000);
        a.triggerPips = 3_000;
        authorize(weak, orderOf(weak, 1, 100e6, 50e6), a);
        IVenueExchange.Order memory o = orderOf(healthy, 1, 100e6, 50e6);
        vm.expectRevert(IVault.NotTriggered.selector);
        authorize(healthy, o, a);
    }

    function test_attack_margin_between_a_liquidation_and_its_booking_saves_the_fee() public {
        bytes32 key = open();
        IVenueExchange.Order memory o = authorizeSale(key, IVault.Purpose.Liquidate, 600e6, 3_600);
        vm.prank(alice, alice);
        assertEq(vault.addMargin(key, 1e6), 1e6, "margin before the fill");
        uint256 principal = principalOf(key);
        fillWhole(o, 0);
        vm.prank(alice, alice);
        vm.expectRevert(IVault.SaleNotBooked.selector);
        vault.addMargin(key, 400e6);
        finalize(key);
        assertEq(pool.bookOf().unreleasedUsdcUnits, (principal + 99) / 100, "one percent of what was repaid");
        assertSolvent();
    }

    function test_attack_remainder_that_never_ends_a_position() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        sell(key, IVault.Purpose.Close, 599_990_001, 5_000);
        assertState(key, IVault.PositionState.Closed);
        assertEq(tokensOf(key), 9_999, "the remainder stays");
        vm.prank(stranger, stranger);
        vm.expectRevert(IVault.NothingToClaim.selector);
        vault.claim(key);
        vm.prank(alice, alice);
        vault.claim(key);
        assertEq(tokens.balanceOf(alice, yesId), 9_999, "handed out to the owner who asks");
    }

    function test_attack_payment_starved_of_gas_is_not_a_refusal() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.addMargin(key, 1_000e6);
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        fillWhole(authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000), 0);
        bool ended;
        for (uint256 gasLimit = 40_000; !ended; gasLimit += 500) {
            vm.prank(keeper, keeper);
            (ended, ) = address(vault).call{gas: gasLimit}(abi.encodeCall(IVault.finalize, (key)));
        }
        assertEq(cashOf(key), 0, "with the minimum gas that ends it, the owner is paid");
    }
}
