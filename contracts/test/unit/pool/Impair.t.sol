// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ILiquidityPool} from "../../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice A loan marked as impaired: who may, when, and what it does to the two prices.
contract ImpairTest is VaultFixture {
    function test_guardian_and_owner_set_and_the_owner_alone_clears() public {
        bytes32 key = open();
        vm.prank(keeper, keeper);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, keeper));
        vault.impair(key, true);
        vm.startPrank(guardian, guardian);
        vault.impair(key, true);
        assertEq(pool.impairedOf(key), 200e6, "set");
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, guardian));
        vault.impair(key, false);
        vm.stopPrank();
        vm.startPrank(owner, owner);
        vault.impair(key, false);
        assertEq(pool.impairedOf(key), 0, "cleared");
        vault.impair(key, true);
        vault.impair(key, true);
        assertEq(pool.bookOf().impairedUsdcUnits, 200e6, "twice changes nothing");
        vault.impair(key, false);
        vault.impair(key, false);
        assertEq(pool.bookOf().impairedUsdcUnits, 0, "nor does clearing twice");
        assertEq(pool.bookOf().lentUsdcUnits, 200e6, "lent again");
        vm.stopPrank();
    }

    function test_open_with_principal_only_whatever_order_is_live() public {
        bytes32 pending = create(seeded(2), alice);
        authorizeOpen(pending, 5_000);
        vm.startPrank(guardian, guardian);
        vm.expectRevert(abi.encodeWithSelector(IVault.WrongState.selector, IVault.PositionState.None));
        vault.impair(bytes32(0), true);
        vm.expectRevert(abi.encodeWithSelector(IVault.WrongState.selector, IVault.PositionState.Pending));
        vault.impair(pending, true);
        vm.stopPrank();
        bytes32 key = open();
        authorizeSale(key, IVault.Purpose.Liquidate, 600e6, 3_600);
        bytes32 before = keccak256(abi.encode(vault.positionOf(key), vault.liveOrderOf(key)));
        vm.prank(guardian, guardian);
        vault.impair(key, true);
        bytes32 now_ = keccak256(abi.encode(vault.positionOf(key), vault.liveOrderOf(key)));
        assertEq(now_, before, "position and order are untouched");
        finalize(key);
        vm.prank(alice, alice);
        vault.addMargin(key, 200e6);
        assertEq(pool.bookOf().impairedUsdcUnits, 0, "repaid: nothing is impaired");
        vm.prank(guardian, guardian);
        vm.expectRevert(IVault.NothingOwed.selector);
        vault.impair(key, true);
    }

    function test_two_prices() public {
        bytes32 key = open(requestOf(seedOf(1), 20_000e6, 50_000), alice, 5_000);
        vm.prank(guardian, guardian);
        vault.impair(key, true);
        ILiquidityPool.Book memory book = pool.bookOf();
        assertEq(book.lentUsdcUnits, 0, "no longer lent");
        assertEq(book.impairedUsdcUnits, 80_000e6, "but impaired");
        assertEq(pool.totalAssets(), 445_000e6, "exit: without it, but for what the reserve would bear");
        assertEq(pool.previewRedeem(1e12), 890_000, "89 cents for who leaves");
        assertEq(pool.previewMint(1e12), 1e6, "a dollar for who enters");
        assertEq(pool.previewDeposit(1e6), 1e12, "a share for a dollar");
        assertEq(pool.previewWithdraw(890_000), 1e12, "the exit price, rounded up");
        usdc.mint(bob, 2e6);
        vm.startPrank(bob, bob);
        usdc.approve(address(pool), type(uint256).max);
        assertEq(pool.deposit(1e6, bob), 1e12, "as previewed");
        assertEq(pool.mint(1e12, bob), 1e6, "as previewed");
        vm.stopPrank();
        vm.prank(owner, owner);
        vault.impair(key, false);
        assertEq(pool.previewRedeem(1e12), 1e6, "cleared: a dollar");
    }

    function test_what_is_impaired_counts_for_caps_and_utilisation() public {
        open(requestOf(seedOf(1), 20_000e6, 50_000), alice, 5_000);
        bytes32 key = open(requestOf(seedOf(2), 20_000e6, 50_000), alice, 5_000);
        uint256 free = pool.freeLiquidity();
        (uint256 loans, ) = pool.outcomeLoanOf(yesOutcome);
        vm.prank(guardian, guardian);
        vault.impair(key, true);
        assertEq(pool.freeLiquidity(), free, "nothing more can be lent, nor less");
        (uint256 loansAfter, uint256 cap) = pool.outcomeLoanOf(yesOutcome);
        assertEq(loansAfter, loans, "the outcome has borrowed what it had");
        bytes32 next = create(requestOf(seedOf(3), 20_000e6, 50_000), alice);
        bytes memory refusal = abi.encodeWithSelector(
            ILiquidityPool.OutcomeCapExceeded.selector,
            yesOutcome,
            80_000e6,
            cap - loans
        );
        vm.expectRevert(refusal);
        this.authorizeOpenNow(next);
    }

    function authorizeOpenNow(bytes32 key) external {
        authorizeOpen(key, 5_000);
    }

    function test_repaid_in_parts_it_leaves_the_mark_for_idle() public {
        bytes32 key = open();
        bytes32 other = open(seeded(2), alice, 5_000);
        bytes32 large = open(requestOf(seedOf(3), 20_000e6, 50_000), alice, 5_000);
        vm.startPrank(guardian, guardian);
        vault.impair(large, true);
        uint256 before = pool.totalAssets();
        vault.impair(key, true);
        vm.stopPrank();
        assertEq(before - pool.totalAssets(), 200e6, "beyond the reserve it costs in full");
        uint256 assets = pool.totalAssets();
        vm.startPrank(alice, alice);
        vault.addMargin(other, 50e6);
        assertEq(pool.bookOf().impairedUsdcUnits, 80_200e6, "another one's repayment is none of it");
        assertEq(pool.totalAssets(), assets, "nor changes the price");
        vault.addMargin(key, 50e6);
        assertEq(pool.bookOf().impairedUsdcUnits, 80_150e6, "what is repaid is impaired no more");
        assertEq(pool.totalAssets(), assets + 50e6, "and counts again");
        vault.requestClose(key, 300e6, 0);
        vm.stopPrank();
        sell(key, IVault.Purpose.Close, 300e6, 6_000);
        assertEq(pool.bookOf().impairedUsdcUnits, 80_075e6, "a part close repays half");
        assertEq(pool.impairedOf(key), vault.positionOf(key).principalUsdcUnits, "the whole loan or nothing");
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertEq(pool.impairedOf(key), 0, "over");
        assertEq(pool.bookOf().lentUsdcUnits, 150e6, "the other one is lent");
        assertSolvent();
    }

    function test_what_is_never_repaid_is_bad_debt_in_the_end() public {
        bytes32 key = open(requestOf(seedOf(1), 20_000e6, 50_000), alice, 5_000);
        uint256 reserve = pool.bookOf().reserveUsdcUnits;
        vm.prank(guardian, guardian);
        vault.impair(key, true);
        uint256 assets = pool.totalAssets();
        resolve(0, 1);
        vault.settle(key);
        assertEq(pool.bookOf().impairedUsdcUnits, 0, "nothing is impaired");
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 80_000e6, "bad debt");
        assertEq(pool.totalAssets(), 420_000e6 + reserve, "the reserve bears what it can");
        assertEq(pool.totalAssets(), assets, "and no one who stayed is worse off than who left");
        assertLe(pool.previewMint(1e18) - pool.previewRedeem(1e18), 1, "one price again, but for the rounding");
        assertSolvent();
    }
}
