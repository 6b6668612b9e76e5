// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Results of positionOf, liquidationPriceOf and healthOf.
contract ViewsTest is VaultFixture {
    function test_a_position_is_shown_with_every_term() public {
        IVault.CreateRequest memory r = request();
        r.minPositionTokenUnits = 599e6;
        r.maxLiquidationPricePips = 4_321;
        bytes32 key = open(r, alice, 5_000);
        IVault.Position memory p = vault.positionOf(key);
        assertEq(p.user, alice, "user");
        assertEq(p.outcomeId, yesOutcome, "outcome");
        assertEq(p.originationFeeBps, 100, "origination");
        assertEq(p.lifetimeFeeAprBps, 1_000, "APR");
        assertEq(p.liquidationFeeBps, 100, "liquidation fee");
        assertEq(p.maxLiquidationPricePips, 4_321, "maximum");
        assertEq(p.minFillBps, 10_000, "fill");
        assertEq(p.exitBufferBps, 800, "buffer");
        assertEq(p.createdAt, block.timestamp, "created");
        assertEq(p.since, block.timestamp, "since");
        assertEq(p.collateralUsdcUnits, 100e6, "collateral");
        assertEq(p.notionalUsdcUnits, 300e6, "notional");
        assertEq(p.venueFeeUsdcUnits, 12e6, "venue fee");
        assertEq(p.minPositionTokenUnits, 599e6, "least tokens");
        assertEq(p.originalTokenUnits, 600e6, "original tokens");
        vm.prank(alice, alice);
        vault.requestClose(key, 120e6, 1_234);
        assertEq(vault.positionOf(key).closeMinPricePips, 1_234, "minimum price");
        bytes32 other = create(seeded(2), alice);
        authorizeOpen(other, 5_000);
        vm.prank(alice, alice);
        vault.cancelPosition(other);
        assertTrue(vault.positionOf(other).cancelRequested, "cancel asked");
    }

    function test_without_tokens_there_is_no_price_to_liquidate_at() public {
        bytes32 key = create();
        assertEq(vault.positionOf(key).tokenUnits, 0, "nothing is filled yet");
        assertEq(vault.liquidationPriceOf(key), 0, "no price");
    }

    function test_fees_alone_have_no_price_to_liquidate_at() public {
        bytes32 key = open();
        skip(30 days);
        fillWhole(authorizeSale(key, IVault.Purpose.Unwind, 400e6, 5_000), 0);
        finalize(key);
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        assertEq(principal, 0, "a sale repays it first");
        assertGe(fees, 1e6, "30 days on 200 USD are still due");
        assertEq(vault.liquidationPriceOf(key), 0, "nothing is lent any more");
    }

    function test_finished_position_reads_as_nothing_to_liquidate() public {
        bytes32 key = open();
        sell(key, IVault.Purpose.Liquidate, 599_990_001, 3_000);
        assertState(key, IVault.PositionState.Liquidated);
        (, uint256 threshold, bool liquidatable) = vault.healthOf(key, 9_999);
        assertTrue(!liquidatable && threshold == 0, "it is over");
        assertEq(vault.liquidationPriceOf(key), 0, "no price");
    }

    function test_limit_at_a_mark_of_one_pip_nothing_can_be_liquidated() public {
        bytes32 key = open(requestOf(seedOf(1), 10e6, 100_000), alice, 1);
        assertEq(principalOf(key), 90e6, "lent");
        assertEq(vault.liquidationPriceOf(key), 0, "less than a pip a token");
    }

    function test_limit_at_three_pips_the_floor_of_the_price_is_a_quarter_of_the_loan() public {
        bytes32 key = open(requestOf(seedOf(1), 30e6, 100_000), alice, 3);
        assertEq(vault.liquidationPriceOf(key), 2, "of 2.9");
        sell(key, IVault.Purpose.Liquidate, tokensOf(key), 2);
        assertGe(vault.positionOf(key).badDebtUsdcUnits, 70e6, "of 270 lent");
        assertSolvent();
    }

    function test_an_order_is_shown_with_its_purpose() public {
        bytes32 key = open();
        authorizeSale(key, IVault.Purpose.Liquidate, 600e6, 3_600);
        IVault.LiveOrder memory order = vault.liveOrderOf(key);
        assertEq(uint256(order.purpose), uint256(IVault.Purpose.Liquidate), "purpose");
        assertEq(order.makerAmount, 600e6, "amount");
    }

    function test_the_value_at_a_mark_is_rounded_down() public {
        bytes32 key = create();
        fill(authorizeOpen(key, 5_000), 300e6, 600e6 + 1, 0);
        finalize(key);
        (uint256 worth, , ) = vault.healthOf(key, 5_000);
        assertEq(worth, 300e6, "half of one unit more is none");
    }

    function test_a_position_key_is_made_of_chain_vault_user_and_twelve_bytes() public view {
        bytes16 seed = bytes16(uint128(0x0102030405060708090a0b0c0d0e0f10));
        bytes32 key = keccak256(
            abi.encode(block.chainid, address(vault), bob, bytes12(uint96(0x0102030405060708090a0b0c)))
        );
        assertEq(vault.positionKeyOf(bob, seed), key, "key");
    }

    function test_an_unknown_key_reads_as_nothing() public view {
        IVault.Position memory none;
        bytes32 shown = keccak256(abi.encode(vault.positionOf("unknown")));
        assertEq(shown, keccak256(abi.encode(none)), "every field is empty");
    }

    function test_a_loan_of_a_pending_position_owes_no_fee() public {
        bytes32 key = create();
        authorizeOpen(key, 5_000);
        skip(30 days);
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        assertEq(principal, 200e6, "lent");
        assertEq(fees, 0, "fees begin with the position");
    }
}
