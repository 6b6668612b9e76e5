// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {GrantFixture} from "../../fixtures/GrantFixture.sol";

/// @notice A whole life on each route and any split of the payouts, to the unit: opened, a part closed, a part unwound,
/// settled.
contract SettlePayoutsTest is GrantFixture {
    /// @dev 100 USD at 3x without fees of time: 600 tokens at 50 cents for a loan of 200.
    function terms(uint128 number) private view returns (IVault.CreateRequest memory r) {
        r = seeded(number);
        r.lifetimeFeeAprBps = 0;
    }

    /// @dev 200 tokens closed at 55 cents, 100 unwound at 50 cents: 300 are left, with a loan of 83.333333.
    function byFills(uint128 number) private returns (bytes32 key) {
        key = openByFill(terms(number), alice, 5_000);
        requestClose(key, 200e6, 0);
        grant(key, IVault.Purpose.Close, 200e6, 5_500, 5_500);
        fillAll(key);
        grant(key, IVault.Purpose.Unwind, 100e6, 5_000, 5_000);
        fillAll(key);
    }

    function byOrders(uint128 number) private returns (bytes32 key) {
        key = create(terms(number), alice);
        fillWhole(authorizeOpen(key, 5_000), 0);
        finalize(key);
        requestClose(key, 200e6, 0);
        fillWhole(authorizeSale(key, IVault.Purpose.Close, 200e6, 5_500), 0);
        finalize(key);
        fillWhole(authorizeSale(key, IVault.Purpose.Unwind, 100e6, 5_000), 0);
        finalize(key);
    }

    function settleBoth(uint256 yes, uint256 no) private {
        bytes32[2] memory keys = [byFills(1), byOrders(2)];
        resolve(yes, no);
        for (uint256 i = 0; i < 2; ++i) {
            assertEq(principalOf(keys[i]), 83_333_333, "loan");
            (uint256 user, uint256 lent) = (usdc.balanceOf(alice), usdc.balanceOf(address(pool)));
            uint256 payout = (300e6 * yes) / (yes + no);
            uint256 repaid = payout < 83_333_333 ? payout : 83_333_333;
            vm.prank(stranger, stranger);
            vault.settle(keys[i]);
            assertState(keys[i], IVault.PositionState.Settled);
            assertEq(usdc.balanceOf(address(pool)) - lent, repaid, "the pool first");
            assertEq(usdc.balanceOf(alice) - user, payout - repaid, "the rest to the user");
            assertEq(vault.positionOf(keys[i]).badDebtUsdcUnits, 83_333_333 - repaid, "what is missing");
            assertEq(cashOf(keys[i]), 0, "nothing stays");
            assertSolvent();
        }
    }

    function test_won() public {
        settleBoth(1, 0);
    }

    function test_lost() public {
        settleBoth(0, 1);
    }

    function test_void() public {
        settleBoth(1, 1);
    }

    function test_37_to_63() public {
        settleBoth(37, 63);
    }

    function test_split_that_does_not_cover_the_loan() public {
        settleBoth(27, 73);
    }

    function test_split_without_a_round_share() public {
        settleBoth(1, 6);
    }
}
