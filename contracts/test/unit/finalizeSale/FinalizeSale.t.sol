// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice The booking of a sale: close, part of a close, unwind, liquidation.
contract FinalizeSaleTest is VaultFixture {
    function test_close_whole_with_profit() public {
        bytes32 key = open();
        uint256 before = usdc.balanceOf(alice);
        skip(1 days);
        closeAll(key, 6_000);
        assertState(key, IVault.PositionState.Closed);
        uint256 fee = (uint256(200e6) * 1_000 * 1 days + 10_000 * 365 days - 1) / (10_000 * 365 days);
        assertEq(usdc.balanceOf(alice) - before, 360e6 - 10_800_000 - 200e6 - fee, "proceeds less debt");
        assertEq(pool.bookOf().lentUsdcUnits, 0, "repaid");
        assertAllowancesOff(key);
        assertSolvent();
    }

    function test_close_part_repays_the_share() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 150e6, 5_500);
        uint256 before = usdc.balanceOf(alice);
        sell(key, IVault.Purpose.Close, 150e6, 5_500);
        IVault.Position memory p = vault.positionOf(key);
        assertEq(p.tokenUnits, 450e6, "tokens left");
        assertEq(p.principalUsdcUnits, 150e6, "three quarters of the debt left");
        assertEq(p.closeTokenUnits, 0, "request done");
        assertEq(usdc.balanceOf(alice) - before, 82_500_000 - 2_475_000 - 50e6, "payout");
        assertSolvent();
    }

    function test_liquidation_below_debt_books_bad_debt_on_the_reserve() public {
        bytes32 key = open();
        sell(key, IVault.Purpose.Liquidate, 600e6, 2_000);
        assertState(key, IVault.PositionState.Liquidated);
        uint256 badDebt = 200e6 - 120e6 * 97 / 100;
        assertEq(vault.positionOf(key).badDebtUsdcUnits, badDebt, "stays on the position");
        assertEq(pool.bookOf().reserveUsdcUnits, 25_000e6 - badDebt, "reserve first");
        assertEq(pool.totalAssets(), 500_000e6, "share price unused");
        assertSolvent();
    }

    function test_unwind_repays_debt_and_keeps_the_rest() public {
        bytes32 key = open();
        IVenueExchange.Order memory o = orderOf(key, 1, 400e6, 192e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 4_800, 4_800);
        a.triggerPips = 3_000;
        authorize(key, o, a);
        fillWhole(o, 5_760_000);
        finalize(key);
        IVault.Position memory p = vault.positionOf(key);
        assertEq(p.tokenUnits, 200e6, "tokens");
        assertEq(p.principalUsdcUnits, 200e6 - 186_240_000, "debt");
        assertState(key, IVault.PositionState.Open);
        assertSolvent();
    }

    function test_liquidate_whole() public {
        bytes32 key = open();
        uint256 price = vault.liquidationPriceOf(key);
        assertEq(price, 3_633, "200 x 1.09 / 600");
        uint256 before = usdc.balanceOf(alice);
        sell(key, IVault.Purpose.Liquidate, 600e6, 3_600);
        assertState(key, IVault.PositionState.Liquidated);
        assertEq(usdc.balanceOf(alice) - before, 216e6 - 6_480_000 - 200e6 - 2e6, "what is left is the user's");
        assertSolvent();
    }

    function test_finalize_of_an_open_position_needs_an_order() public {
        bytes32 key = open();
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.NothingToFinalize.selector);
        vault.finalize(key);
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000);
        vm.prank(stranger, stranger);
        vm.expectRevert(abi.encodeWithSelector(IVault.OrderLive.selector, START + 60));
        vault.finalize(key);
        skip(61);
        vm.prank(stranger, stranger);
        vault.finalize(key);
        assertEq(vault.positionOf(key).closeTokenUnits, 600e6, "still asked for");
        assertAllowancesOff(key);
    }

    function test_partial_close_in_slices_keeps_the_request() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 300e6, 0);
        sell(key, IVault.Purpose.Close, 100e6, 5_000);
        assertEq(vault.positionOf(key).closeTokenUnits, 200e6, "the rest is still asked for");
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 5_000, 5_000);
        IVenueExchange.Order memory o = orderOf(key, 1, 310e6, 155e6);
        authorize(key, o, a);
        fillWhole(o, 0);
        finalize(key);
        assertEq(vault.positionOf(key).closeTokenUnits, 190e6, "never more than is held");
        assertSolvent();
    }

    function test_unfilled_orders_change_nothing() public {
        bytes32 key = open();
        IVault.Position memory before = vault.positionOf(key);
        skip(100);
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000);
        finalize(key);
        IVault.Position memory p = vault.positionOf(key);
        assertEq(p.since, before.since, "no accrual point moved");
        assertEq(p.principalUsdcUnits, before.principalUsdcUnits, "principal");
        assertEq(p.tokenUnits, before.tokenUnits, "tokens");
    }

    function test_donation_to_an_open_position_counts_as_proceeds() public {
        bytes32 key = open();
        usdc.mint(vault.accountOf(key), 50e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 5_000, 5_000);
        IVenueExchange.Order memory o = orderOf(key, 1, 100e6, 50e6);
        authorize(key, o, a);
        finalize(key);
        assertEq(principalOf(key), 150e6, "the donation repaid debt, no token was sold");
        assertSolvent();
    }

    function test_a_request_is_served_to_its_last_unit() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 300e6, 0);
        sell(key, IVault.Purpose.Close, 299_999_999, 6_000);
        assertEq(vault.positionOf(key).closeTokenUnits, 1, "one unit is still asked for");
        IVenueExchange.Order memory o = orderOf(key, 1, 1, 1);
        authorize(key, o, attestation(IVault.Purpose.Close, 6_000, 6_000));
        fillWhole(o, 0);
        finalize(key);
        assertEq(vault.positionOf(key).closeTokenUnits, 0, "nothing is");
    }

    function test_a_part_takes_its_share_of_the_fees_rounded_up() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 200e6, 0);
        skip(1 hours);
        (, uint256 fees) = vault.debtOf(key);
        assertEq(fees, 2_284, "10 % a year on 200 USD");
        sell(key, IVault.Purpose.Close, 200e6, 6_000);
        (, fees) = vault.debtOf(key);
        assertEq(fees, 2_284 - 762, "a third is 761.33");
        assertEq(vault.positionOf(key).pendingFeeUsdcUnits, fees, "and the position shows it");
    }

    function test_a_hundredth_of_a_token_is_still_a_position() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        IVenueExchange.Order memory o = authorizeSale(key, IVault.Purpose.Close, 600e6, 6_000);
        fill(o, 600e6 - 10_000, 360e6 - 6_000, 0);
        finalize(key);
        assertState(key, IVault.PositionState.Open);
        assertEq(tokensOf(key), 10_000, "held");
        assertEq(vault.positionOf(key).closeTokenUnits, 10_000, "and asked for");
    }

    function test_nothing_is_asked_for_after_a_sale() public {
        bytes32 key = open();
        closeAll(key, 6_000);
        assertState(key, IVault.PositionState.Closed);
        assertEq(vault.positionOf(key).closeTokenUnits, 0, "the request ended with the position");
    }

    function test_limit_deferred_payment_pays_a_later_liquidation_and_its_fee() public {
        bytes32 key = openWithDeferredPayment();
        uint256 deferred = cashOf(key);
        assertEq(deferred, 80e6, "emitted as paid to the user, waiting");
        usdc.setBlacklisted(alice, false);
        vm.recordLogs();
        sell(key, IVault.Purpose.Liquidate, 300e6, 3_000);
        assertEq(liquidationFeesEmitted(), 1e6, "a fee on the whole loan");
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 0, "the waiting 80 USD paid the loss of 12.7 USD and the fee");
    }
}
