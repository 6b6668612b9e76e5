// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPositionAccount} from "../../src/interfaces/IPositionAccount.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {TestUsdc} from "../../venue/TestUsdc.sol";
import {RefusingUser} from "../fixtures/HostileUsers.sol";
import {VaultFixture} from "../fixtures/VaultFixture.sol";

/// @notice Attacks on the pool, the treasury and the accounts; each fails here.
contract MoneyAttacksTest is VaultFixture {
    function test_attack_pool_locked_for_free_by_unopened_positions() public {
        uint256 free = pool.freeLiquidity();
        for (uint128 i = 1; i < 20; ++i) create(requestOf(seedOf(i), 1_000e6, 50_000), alice);
        assertEq(pool.freeLiquidity(), free, "nothing is held for them");
    }

    /// @dev Blacklisted before the first fee is owed: openings, a sale, a repaid exit and a liquidation all give it a
    /// cut.
    function test_attack_one_blacklisted_treasury_stops_all_payouts() public {
        usdc.setBlacklisted(treasury, true);
        bytes32 sold = open();
        bytes32 repaid = open(seeded(2), bob, 5_000);
        bytes32 liquidated = open(requestOf(seedOf(3), 200e6, 30_000), bob, 5_000);
        // The reserve is full, so the origination fees of 3, 3 and 6 USD are all the treasury's.
        uint256 owed = 12e6;
        assertEq(pool.bookOf().treasuryOwedUsdcUnits, owed, "origination");
        skip(30 days);
        uint256[3] memory cuts = [cutOf(sold), cutOf(repaid), cutOf(liquidated)];
        assertEq(cuts[0], 328_767, "a fifth of 30 days at 10 % a year on 200 USD, floor");
        closeAll(sold, 6_000);
        assertState(sold, IVault.PositionState.Closed);
        assertTreasuryWaits(owed += cuts[0]);
        vm.prank(bob, bob);
        vault.exitByRepaying(repaid, bob);
        assertState(repaid, IVault.PositionState.Closed);
        assertTreasuryWaits(owed += cuts[1]);
        sell(liquidated, IVault.Purpose.Liquidate, 1_200e6, 3_600);
        assertState(liquidated, IVault.PositionState.Liquidated);
        assertTreasuryWaits(owed += cuts[2]);
        usdc.setBlacklisted(treasury, false);
        assertEq(pool.payTreasury(), owed, "pulled later");
        assertEq(usdc.balanceOf(treasury), owed, "to the unit");
        assertEq(pool.bookOf().treasuryOwedUsdcUnits, 0, "and owed no more");
        assertSolvent();
    }

    /// @dev The treasury's part of the lifetime fees owed now, floor.
    function cutOf(bytes32 key) private view returns (uint256) {
        (, uint256 fees) = vault.debtOf(key);
        return (fees * 2_000) / 10_000;
    }

    function assertTreasuryWaits(uint256 owed) private {
        vm.expectRevert(abi.encodeWithSelector(TestUsdc.Blacklisted.selector, treasury));
        pool.payTreasury();
        assertEq(pool.bookOf().treasuryOwedUsdcUnits, owed, "owed");
        assertEq(usdc.balanceOf(treasury), 0, "nothing got through");
        assertSolvent();
    }

    /// @dev Its loan is impaired at once, and who leaves meanwhile bears it; paid in the end, it costs no one.
    function test_attack_market_that_never_resolves() public {
        bytes32 key = open(requestOf(seedOf(1), 20_000e6, 50_000), alice, 5_000);
        uint256 assets = pool.totalAssets();
        vm.prank(guardian, guardian);
        vault.impair(key, true);
        assertEq(pool.totalAssets(), assets - 80_000e6 + 25_000e6, "worth to who leaves what the reserve would bear");
        skip(60 days);
        (uint256 owed, uint256 fees) = vault.debtOf(key);
        uint256 before = usdc.balanceOf(alice);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertEq(before - usdc.balanceOf(alice), owed + fees, "paid with fees");
        assertEq(tokens.balanceOf(alice, yesId), 200_000e6, "tokens free");
        assertEq(pool.totalAssets(), assets, "the loan is back, its fees are not released yet");
        skip(7 days);
        assertEq(pool.totalAssets(), assets + fees - (fees * 2_000) / 10_000, "now they are");
        assertSolvent();
    }

    function test_attack_tokens_pushed_to_a_contract_that_refuses() public {
        RefusingUser user = new RefusingUser();
        usdc.mint(address(user), 1_000e6);
        user.call(address(usdc), abi.encodeCall(usdc.approve, (address(vault), type(uint256).max)));
        IVault.CreateRequest memory r = request();
        bytes memory signature = signQuote(r, address(user));
        user.call(address(vault), abi.encodeCall(IVault.createPosition, (r, signature)));
        bytes32 key = vault.positionKeyOf(address(user), r.positionSeed);
        fillWhole(authorizeOpen(key, 5_000), 9e6);
        finalize(key);
        user.call(address(vault), abi.encodeCall(IVault.requestClose, (key, 600e6, 0)));
        sell(key, IVault.Purpose.Close, 599_990_001, 5_000);
        assertState(key, IVault.PositionState.Closed);
        usdc.mint(vault.accountOf(key), 7);
        uint256 before = usdc.balanceOf(address(user));
        user.call(address(vault), abi.encodeCall(IVault.claim, (key)));
        assertEq(usdc.balanceOf(address(user)) - before, 7, "the USDC arrives all the same");
        assertEq(tokensOf(key), 9_999, "the remainder waits");
    }

    function test_attack_stranger_sends_tokens_to_a_deployed_account() public {
        bytes32 key = open();
        address account = vault.accountOf(key);
        vm.prank(maker, maker);
        vm.expectRevert(IPositionAccount.TokensNotFromExchange.selector);
        tokens.safeTransferFrom(maker, account, yesId, 1e6, "");
    }

    function test_attack_account_verbs_from_strangers() public {
        bytes32 key = open();
        IPositionAccount account = IPositionAccount(vault.accountOf(key));
        address[3] memory callers = [alice, keeper, owner];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.startPrank(callers[i], callers[i]);
            vm.expectRevert(IPositionAccount.OnlyVault.selector);
            account.allowUsdc(1);
            vm.expectRevert(IPositionAccount.OnlyVault.selector);
            account.allowTokens(true);
            vm.expectRevert(IPositionAccount.OnlyVault.selector);
            account.sendUsdc(alice, 0, alice, 1);
            vm.expectRevert(IPositionAccount.OnlyVault.selector);
            account.sendTokens(address(tokens), alice, yesId, 1);
            vm.expectRevert(IPositionAccount.OnlyVault.selector);
            account.trySendTokens(address(tokens), alice, yesId, 1);
            vm.expectRevert(IPositionAccount.OnlyVault.selector);
            account.redeem(address(tokens), conditionId, 1, 0);
            vm.stopPrank();
        }
    }
}
