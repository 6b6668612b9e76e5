// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../../src/interfaces/ILiquidityPool.sol";
import {LossFactor} from "../../../src/libraries/LossFactor.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Caps of redeem requests after losses, and the money that lending leaves for them.
contract RedeemCapsTest is VaultFixture {
    address private leaver = address(0x0a0d);
    uint256 private constant STAKE = 500_000e6;

    function setUp() public override {
        super.setUp();
        enter(leaver, STAKE);
    }

    function test_lowers_the_cap_when_a_loss_passes_the_reserve() public {
        bytes32 losing = openLarge(1);
        ask(leaver, STAKE * 1e6);
        lose(losing);
        uint256 cap = pool.redeemRequestOf(leaver).capUsdcUnits;
        assertLe(cap, pool.previewRedeem(STAKE * 1e6) + 1, "its worth after the loss");
        assertGe(cap + 1, pool.previewRedeem(STAKE * 1e6), "and not less");
        earn(2);
        assertGe(pool.previewRedeem(STAKE * 1e6), cap + 100e6, "the others have earned since");
        assertEq(leave(leaver), cap, "who had asked has not");
        assertSolvent();
    }

    function test_keeps_the_cap_when_the_reserve_covers_the_loss() public {
        fundPool(0, 200_000e6);
        bytes32 losing = openLarge(1);
        ask(leaver, STAKE * 1e6);
        lose(losing);
        assertEq(pool.redeemRequestOf(leaver).capUsdcUnits, STAKE, "no provider lost anything");
        skip(24 hours);
        assertEq(leave(leaver), STAKE, "all of it");
    }

    /// @dev Asked for at a price that leaves the loan out: booking it takes nothing a second time.
    function test_keeps_the_cap_of_a_request_made_while_the_lost_loan_was_impaired() public {
        bytes32 losing = openLarge(1);
        vm.prank(guardian, guardian);
        vault.impair(losing, true);
        uint256 cap = ask(leaver, STAKE * 1e6);
        assertLe(cap, STAKE - 40_000e6, "lowered by the mark");
        lose(losing);
        assertGe(pool.redeemRequestOf(leaver).capUsdcUnits + 1, cap, "and not again by the booking");
        skip(24 hours);
        assertGe(leave(leaver) + 2, cap, "paid");
    }

    function test_lowers_the_cap_when_a_loss_was_impaired_before() public {
        bytes32 losing = openLarge(1);
        ask(leaver, STAKE * 1e6);
        vm.prank(guardian, guardian);
        vault.impair(losing, true);
        assertEq(pool.redeemRequestOf(leaver).capUsdcUnits, STAKE, "a mark may be cleared");
        lose(losing);
        assertLe(pool.redeemRequestOf(leaver).capUsdcUnits, pool.previewRedeem(STAKE * 1e6) + 1, "a loss may not");
    }

    /// @dev A small request keeps its old cap above its worth; asking for much more must not inherit the difference.
    function test_lowers_the_old_cap_to_the_worth_of_its_shares_when_asked_again() public {
        bytes32 losing = openLarge(1);
        uint256 shares = STAKE * 1e6;
        ask(leaver, shares / 2);
        vm.prank(guardian, guardian);
        vault.impair(losing, true);
        uint256 worth = pool.previewRedeem(shares / 2);
        assertLe(worth, STAKE / 2 - 20_000e6, "a loss that everybody sees");
        assertEq(ask(leaver, shares / 2), worth, "the new shares at their worth");
        assertEq(pool.redeemRequestOf(leaver).capUsdcUnits, 2 * worth, "and the old ones too");
    }

    /// @dev Money added by asking again: its author earns nothing of the next income.
    function test_attack_adding_money_to_an_old_cap_takes_no_income() public {
        bytes32 losing = openLarge(1);
        bytes32 earning = openSmall(3);
        ask(leaver, STAKE * 1e6);
        lose(losing);
        uint256 cap = pool.redeemRequestOf(leaver).capUsdcUnits;
        enter(leaver, 9_000_000e6);
        cap += ask(leaver, pool.balanceOf(leaver));
        skip(60 days);
        vm.prank(alice, alice);
        vault.exitByRepaying(earning, alice);
        skip(7 days);
        assertLe(leave(leaver), cap, "nothing of the fees of sixty days");
        assertGe(pool.bookOf().unreleasedUsdcUnits, 1, "they are of those who stay");
        assertSolvent();
    }

    /// @dev Cash of requests stays reserved when a mark lowers the redemption price.
    function test_lends_none_of_the_caps_when_a_loan_is_impaired() public {
        bytes32 losing = openLarge(1);
        ask(leaver, STAKE * 1e6);
        uint256 free = pool.freeLiquidity();
        vm.prank(guardian, guardian);
        vault.impair(losing, true);
        assertEq(pool.freeLiquidity(), free, "the mark makes nothing lendable");
        vm.prank(owner, owner);
        vault.impair(losing, false);
        skip(24 hours);
        assertEq(leave(leaver), STAKE, "and who waited is paid in full");
    }

    function test_lends_again_what_losses_took_from_the_caps() public {
        bytes32 losing = openLarge(1);
        ask(leaver, STAKE * 1e6);
        lose(losing);
        ILiquidityPool.RedeemRequest memory r = pool.redeemRequestOf(leaver);
        uint256 byIdle = pool.bookOf().idleUsdcUnits - r.capUsdcUnits;
        assertLe(pool.freeLiquidity(), byIdle, "the lowered cap is kept");
        assertGe(pool.freeLiquidity() + 1, byIdle, "and no more than it");
    }

    function testFuzz_redeems_at_most_the_lowered_cap_in_any_parts(uint256 part, uint256 collateral) public {
        part = bound(part, 1, STAKE * 1e6 - 1);
        bytes32 losing = open(requestOf(seedOf(1), bound(collateral, 1e6, 30_000e6), 50_000), alice, 5_000);
        ask(leaver, STAKE * 1e6);
        lose(losing);
        earn(2);
        uint256 cap = pool.redeemRequestOf(leaver).capUsdcUnits;
        vm.startPrank(leaver, leaver);
        uint256 paid = pool.redeem(part, leaver, leaver);
        paid += pool.redeem(STAKE * 1e6 - part, leaver, leaver);
        vm.stopPrank();
        assertLe(paid, cap, "never more");
        assertGe(paid + 2, cap, "less by rounding alone");
        assertEq(pool.requestedShares(), 0, "nothing waits");
        assertGe(pool.freeLiquidity(), pool.bookOf().idleUsdcUnits / 2, "nothing is kept");
        assertSolvent();
    }

    // ------------------------------------------------------------ the arithmetic

    function testFuzz_unscales_to_the_same_amount_and_never_to_more_after_a_loss(
        uint256 usdcUnits,
        uint256 factor,
        uint256 assets,
        uint256 loss
    ) public pure {
        usdcUnits = bound(usdcUnits, 0, type(uint64).max);
        factor = bound(factor, 1, LossFactor.ONE);
        assets = bound(assets, 0, type(uint64).max);
        loss = bound(loss, 0, assets);
        uint256 scaled = LossFactor.scale(usdcUnits, factor);
        assertEq(LossFactor.unscale(scaled, factor), usdcUnits, "the same amount");
        uint256 next = LossFactor.afterLoss(factor, assets, loss);
        assertGe(next, 1, "never 0");
        assertLe(next, factor, "never higher");
        assertLe(LossFactor.unscale(scaled, next), usdcUnits, "never more");
        assertGe(LossFactor.unscaleUp(scaled, next), LossFactor.unscale(scaled, next), "kept at least what is paid");
    }

    function test_never_lowers_the_factor_to_zero() public pure {
        assertEq(LossFactor.afterLoss(1, 100, 100), 1, "the smallest one");
        assertEq(LossFactor.afterLoss(LossFactor.ONE, 99, 50), LossFactor.ONE / 2, "half with the virtual unit");
        assertEq(LossFactor.afterLoss(LossFactor.ONE, 0, 7), LossFactor.ONE, "no assets, no loss");
    }

    // ------------------------------------------------------------ steps

    /// @dev 30,000 USD at 5x: a loan of 120,000 USD.
    function openLarge(uint128 number) private returns (bytes32) {
        return open(requestOf(seedOf(number), 30_000e6, 50_000), alice, 5_000);
    }

    function lose(bytes32 key) private {
        resolve(0, 1);
        vault.settle(key);
    }

    /// @dev A loan of 40,000 USD is repaid after a year, and its fees are released.
    function earn(uint128 number) private {
        bytes32 key = openSmall(number);
        skip(365 days);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        skip(7 days);
    }

    function openSmall(uint128 number) private returns (bytes32) {
        return open(requestOf(seedOf(number), 10_000e6, 50_000), alice, 5_000);
    }

    function ask(address who, uint256 shares) private returns (uint256) {
        vm.prank(who, who);
        return pool.requestRedeem(shares, 0);
    }

    function leave(address who) private returns (uint256) {
        uint256 shares = pool.redeemRequestOf(who).shares;
        vm.prank(who, who);
        return pool.redeem(shares, who, who);
    }

    function enter(address who, uint256 usdcUnits) private {
        usdc.mint(who, usdcUnits);
        vm.startPrank(who, who);
        usdc.approve(address(pool), usdcUnits);
        pool.deposit(usdcUnits, who);
        vm.stopPrank();
    }
}
