// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice V8: a liquidation in parts is no way around its fee.
contract PartLiquidationTest is VaultFixture {
    function liquidate(bytes32 key, uint256 tokenUnits, uint32 pricePips) private {
        fillWhole(authorizeSale(key, IVault.Purpose.Liquidate, tokenUnits, pricePips), 0);
        finalize(key);
    }

    function test_V8_fee_a_part_cannot_pay_stays_owed() public {
        bytes32 key = open();
        uint32 price = uint32(vault.liquidationPriceOf(key));
        uint256 proceeds = 10 * uint256(price) * 1e3;
        vm.recordLogs();
        liquidate(key, 100e6, price);
        assertEq(liquidationFeesEmitted(), 0, "all of it went to the loan");
        assertEq(principalOf(key), 200e6 - proceeds, "repaid");
        uint256 owed = (proceeds + 99) / 100;
        assertEq(vault.positionOf(key).pendingFeeUsdcUnits, owed, "1 % of it stays owed");
        (, uint256 fees) = vault.debtOf(key);
        assertEq(fees, owed, "as a fee");
    }

    function test_V8_parts_pay_what_the_whole_pays() public {
        bytes32 key = open();
        bytes32 other = open(seeded(2), bob, 5_000);
        uint32 price = uint32(vault.liquidationPriceOf(key));
        uint256 before = usdc.balanceOf(address(pool));
        liquidate(other, 600e6, price);
        uint256 whole = usdc.balanceOf(address(pool)) - before;
        assertEq(whole, 202e6, "the loan and 1 %");
        before = usdc.balanceOf(address(pool));
        // A part that brings more than its share of the debt lowers the price at which the rest may go.
        for (uint256 i = 0; i < 6; ++i) liquidate(key, 100e6, uint32(vault.liquidationPriceOf(key)));
        assertState(key, IVault.PositionState.Liquidated);
        uint256 parts = usdc.balanceOf(address(pool)) - before;
        assertTrue(parts >= whole && parts <= whole + 6, "the same, rounded up once for each part");
    }

    function test_V8_close_and_unwind_owe_no_liquidation_fee() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 200e6, 0);
        vm.recordLogs();
        fillWhole(authorizeSale(key, IVault.Purpose.Close, 200e6, 4_000), 0);
        finalize(key);
        fillWhole(authorizeSale(key, IVault.Purpose.Unwind, 100e6, 4_000), 0);
        finalize(key);
        assertEq(liquidationFeesEmitted(), 0, "none paid");
        assertEq(vault.positionOf(key).pendingFeeUsdcUnits, 0, "none owed");
    }

    function test_V8_fee_that_stays_owed_is_rounded_up() public {
        bytes32 key = open();
        uint32 price = uint32(vault.liquidationPriceOf(key));
        uint256 proceeds = 10 * uint256(price) * 1e3 + 1;
        IVenueExchange.Order memory o = orderOf(key, 1, 100e6, proceeds);
        authorize(key, o, attestation(IVault.Purpose.Liquidate, price, price));
        fillWhole(o, 0);
        finalize(key);
        assertEq(vault.positionOf(key).pendingFeeUsdcUnits, proceeds / 100 + 1, "a unit more, a unit of fee more");
    }
}
