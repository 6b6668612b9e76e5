// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Edges of the end of an opening: a hundredth of a token, and what fill and highest fee explain.
contract OpeningEdgesTest is VaultFixture {
    function test_a_hundredth_of_a_token_opens_a_position() public {
        bytes32 key = create();
        fill(authorizeOpen(key, 5_000), 5_000, 10_000, 0);
        finalize(key);
        assertState(key, IVault.PositionState.Open);
        assertEq(vault.positionOf(key).tokenUnits, 10_000, "held");
    }

    function test_a_unit_less_than_a_hundredth_of_a_token_opens_none() public {
        bytes32 key = create();
        fill(authorizeOpen(key, 5_000), 4_999, 9_999, 0);
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
    }

    function test_an_opening_is_emitted_with_its_origination_fee_and_its_refund() public {
        bytes32 key = create();
        fillWhole(authorizeOpen(key, 5_000), 5e6);
        vm.expectEmit();
        emit IVault.PositionOpened(key, alice, 600e6, 300e6, 305e6, 200e6, 3e6, 7e6, 800);
        finalize(key);
    }

    /// @dev An older order takes a tenth of what the newer one filled: as much as the highest fee might have been.
    function test_as_much_beyond_the_fill_as_the_highest_fee_counts_as_a_fee() public {
        assertEq(originationFeeBeside(15_000_000), 1_500_001, "a hundredth of the newer fill");
    }

    function test_a_unit_more_than_the_highest_fee_counts_as_an_older_fill() public {
        assertEq(originationFeeBeside(15_000_001), 1_650_001, "a hundredth of both fills");
    }

    /// @dev The newer order fills by 150.000005 USD, and an older one by as much as is said.
    function originationFeeBeside(uint256 older) private returns (uint256 fee) {
        bytes32 key = create();
        IVenueExchange.Order memory first = preapproved(authorizeOpen(key, 5_000));
        IVenueExchange.Order memory second = authorizeOpen(key, 5_000);
        fill(first, older, older * 2, 0);
        fill(second, 150_000_005, 300_000_010, 0);
        fee = pool.bookOf().treasuryOwedUsdcUnits;
        finalize(key);
        fee = pool.bookOf().treasuryOwedUsdcUnits - fee;
        assertEq(principalOf(key), 100_000_003, "two thirds of the newer fill are lent, whatever the older one was");
    }
}
