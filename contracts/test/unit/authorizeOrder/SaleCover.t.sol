// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice No sale of a healthy position brings less than its debt.
contract SaleCoverTest is VaultFixture {
    /// @dev Mark 0.50, liquidation price 0.4905: it must not be liquidated, and the owner's request must not sell it at
    /// 0.425 to a bid that waits there.
    function test_close_of_a_healthy_position_never_sells_below_its_debt() public {
        bytes32 key = open(requestOf(seedOf(1), 1_000e6, 100_000), alice, 5_000);
        assertLe(vault.liquidationPriceOf(key), 4_905, "healthy at a mark of 5,000");
        vm.prank(alice, alice);
        vault.requestClose(key, type(uint256).max, 0);
        IVenueExchange.Order memory o = orderOf(key, 1, 20_000e6, 8_500e6);
        vm.expectRevert(IVault.SaleBelowDebt.selector);
        authorize(key, o, attestation(IVault.Purpose.Close, 5_000, 4_250));
        // 9,000 USD of debt, 3.5 % of the proceeds for the venue: 0.4664 covers it, 0.4663 does not.
        o = orderOf(key, 1, 20_000e6, 9_326e6);
        vm.expectRevert(IVault.SaleBelowDebt.selector);
        authorize(key, o, attestation(IVault.Purpose.Close, 5_000, 4_663));
        o = orderOf(key, 1, 20_000e6, 9_328e6);
        authorize(key, o, attestation(IVault.Purpose.Close, 5_000, 4_664));
        fillWhole(o, (o.takerAmount * 350) / 10_000);
        finalize(key);
        assertState(key, IVault.PositionState.Closed);
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 0, "the pool is whole");
    }

    /// @dev Two accounts of one person: the position buys 8 % over the mark from the other, sells 15 % under it to
    /// the same.
    function test_open_high_and_close_low_moves_nothing_to_a_friend() public {
        IVault.CreateRequest memory r = requestOf(seedOf(1), 2_000e6, 60_000);
        bytes32 key = create(r, alice);
        uint256 tokenUnits = 12_200e6;
        IVenueExchange.Order memory o = orderOf(key, 0, 12_000e6, tokenUnits);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 9_070, 9_900);
        a.venueFeeBps = 70;
        authorize(key, o, a);
        fillWhole(o, (12_000e6 * 70) / 10_000);
        finalize(key);
        vm.prank(alice, alice);
        vault.requestClose(key, type(uint256).max, 0);
        uint256 price = 7_710;
        o = orderOf(key, 1, tokenUnits, (tokenUnits * price) / 10_000);
        a = attestation(IVault.Purpose.Close, 9_070, uint32(price));
        a.venueFeeBps = 160;
        vm.expectRevert(IVault.SaleBelowDebt.selector);
        authorize(key, o, a);
    }

    /// @dev The same through an unwind of everything; past the hard exit, which the trigger 0 says, it may go.
    function test_unwind_sells_everything_below_the_debt_past_the_hard_exit_only() public {
        bytes32 key = open(requestOf(seedOf(1), 1_000e6, 100_000), alice, 5_000);
        IVenueExchange.Order memory o = orderOf(key, 1, 20_000e6, 8_500e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 5_000, 4_250);
        a.triggerPips = 1;
        vm.expectRevert(IVault.SaleBelowDebt.selector);
        authorize(key, o, a);
        a.triggerPips = 0;
        IVenueExchange.Order memory part = orderOf(key, 1, 10_000e6, 4_250e6);
        vm.expectRevert(IVault.SaleBelowDebt.selector);
        authorize(key, part, a);
        authorize(key, o, a);
        fillWhole(o, (8_500e6 * 300) / 10_000);
        finalize(key);
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 755e6, "rather than the whole loan at the settlement");
    }

    /// @dev The lowest limit that covers the debt by all tokens at the exchange's highest fee, and a sale of all but a
    /// remainder at it. Of few tokens the remainder is worth more than a pip of the limit.
    function sellAllButDust(bytes32 key, IVault.Purpose purpose) private returns (bytes memory refusal) {
        (uint256 debt, ) = vault.debtOf(key);
        uint256 held = tokensOf(key);
        uint256 net = held * (10_000 - exchange.getMaxFeeRate());
        uint32 limit = uint32((debt * 1e8 + net - 1) / net);
        IVault.PriceAttestation memory a = attestation(purpose, limit, limit);
        (a.venueFeeBps, a.triggerPips) = (0, purpose == IVault.Purpose.Unwind ? 1 : 0);
        uint256 sold = held - 9_999;
        assertGe(limit * net, debt * 1e8, "all tokens would cover");
        IVenueExchange.Order memory o = orderOf(key, 1, sold, (sold * limit + 9_999) / 10_000);
        bytes memory signature = signAttestation(a);
        vm.prank(keeper, keeper);
        try vault.authorizeOrder(key, purpose, o, uint64(block.timestamp + 60), a, signature) {} catch (
            bytes memory reason
        ) {
            return reason;
        }
    }

    /// @dev 1 USD of collateral at 10x: eleven tokens.
    function small() private view returns (IVault.CreateRequest memory r) {
        r = requestOf(seedOf(1), 1e6, 100_000);
        r.lifetimeFeeAprBps = 0;
    }

    function test_a_close_that_leaves_a_remainder_covers_the_debt_by_what_it_sells() public {
        bytes32 key = open(small(), alice, 9_000);
        vm.prank(alice, alice);
        vault.requestClose(key, type(uint256).max, 0);
        assertEq(bytes4(sellAllButDust(key, IVault.Purpose.Close)), IVault.SaleBelowDebt.selector, "close");
    }

    function test_an_unwind_that_leaves_a_remainder_covers_the_debt_by_what_it_sells() public {
        bytes32 key = open(small(), alice, 9_000);
        assertEq(bytes4(sellAllButDust(key, IVault.Purpose.Unwind)), IVault.SaleBelowDebt.selector, "unwind");
    }
}
