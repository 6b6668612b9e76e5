// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {GasBurningUser, ReenteringUser, RevertingUser} from "../../fixtures/HostileUsers.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice No user keeps a liquidation from being booked: users who are blacklisted, refuse everything, re-enter or
/// burn all gas.
contract LiquidatedUsersTest is VaultFixture {
    /// @dev Left after a whole liquidation: less than a cent of a token, so the position ends all the same.
    uint256 private constant REMAINDER = 9_999;

    function test_F12_liquidation_of_a_blacklisted_user() public {
        bytes32 key = open();
        usdc.setBlacklisted(alice, true);
        sell(key, IVault.Purpose.Liquidate, 600e6, 3_600);
        assertState(key, IVault.PositionState.Liquidated);
        assertSolvent();
    }

    function test_F12_liquidation_of_a_user_that_refuses_everything() public {
        liquidateWholeAndInTwo(address(new RevertingUser()));
    }

    function test_F12_liquidation_of_a_user_that_burns_all_gas() public {
        liquidateWholeAndInTwo(address(new GasBurningUser()));
    }

    function test_F12_liquidation_of_a_user_that_re_enters() public {
        ReenteringUser user = new ReenteringUser();
        address[] memory targets = new address[](2);
        bytes[] memory calls = new bytes[](2);
        (targets[0], targets[1]) = (address(vault), address(vault));
        bytes32 whole = vault.positionKeyOf(address(user), seeded(2).positionSeed);
        bytes32 inTwo = vault.positionKeyOf(address(user), seeded(3).positionSeed);
        calls[0] = abi.encodeCall(IVault.claim, (whole));
        calls[1] = abi.encodeCall(IVault.exitByRepaying, (inTwo, address(user)));
        user.arm(targets, calls);
        liquidateWholeAndInTwo(address(user));
        assertEq(user.receipts(), 0, "a liquidation runs no code of its user");
    }

    /// @dev Both liquidations leave a remainder in the account: it is never pushed at its owner.
    function liquidateWholeAndInTwo(address user) private {
        fundUser(user, 10_000e6);
        bytes32 whole = open(seeded(2), user, 5_000);
        bytes32 inTwo = open(seeded(3), user, 5_000);
        skip(10 days);
        liquidate(whole, 600e6 - REMAINDER, 3_600);
        assertState(whole, IVault.PositionState.Liquidated);
        liquidate(inTwo, 300e6, 3_600);
        assertState(inTwo, IVault.PositionState.Open);
        // The first sale made it healthy again at that price.
        liquidate(inTwo, 300e6 - REMAINDER, 3_450);
        assertState(inTwo, IVault.PositionState.Liquidated);
        assertEq(tokensOf(whole) + tokensOf(inTwo), 2 * REMAINDER, "the remainder waits");
        assertEq(cashOf(whole) + cashOf(inTwo), 0, "the money does not");
        assertEq(pool.bookOf().lentUsdcUnits, 0, "every loan repaid");
        assertSolvent();
    }

    /// @dev USDC units.
    struct Money {
        uint256 ofPool;
        uint256 booked;
        uint256 ofUser;
    }

    function moneyOf(bytes32 key) private view returns (Money memory m) {
        (m.ofPool, m.booked) = pool.solvency();
        m.ofUser = usdc.balanceOf(vault.positionOf(key).user);
    }

    /// @dev Proceeds of the account: the price less a venue fee of 3 %.
    function sell(bytes32 key, uint256 tokenUnits, uint32 pricePips) private returns (uint256 cash) {
        IVenueExchange.Order memory o = authorizeSale(key, IVault.Purpose.Liquidate, tokenUnits, pricePips);
        uint256 venueFee = (o.takerAmount * 300) / 10_000;
        fillWhole(o, venueFee);
        finalize(key);
        cash = o.takerAmount - venueFee;
    }

    /// @dev Sells with a venue fee of 3 % and holds pool and user to the waterfall, to the unit.
    function liquidate(bytes32 key, uint256 tokenUnits, uint32 pricePips) private {
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        Money memory before = moneyOf(key);
        uint256 cash = sell(key, tokenUnits, pricePips);
        Money memory later = moneyOf(key);

        // One per cent of what was repaid, ceil; while the principal is not covered nothing is left to pay fees.
        uint256 due = cash > principal ? principal + fees + (principal + 99) / 100 : cash;
        assertEq(later.ofPool - before.ofPool, due, "principal, lifetime fees, liquidation fee");
        assertEq(later.booked - before.booked, due, "and all of it is booked");
        assertEq(later.ofUser - before.ofUser, cash - due, "the rest is the user's");
        assertEq(principalOf(key), principal < cash ? 0 : principal - cash, "what is still owed");
    }
}
