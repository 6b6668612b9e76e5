// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "./VaultFixture.sol";

/// @notice Every way through a position's life, with every unit accounted for.
contract LifecycleTest is VaultFixture {
    function test_create_takes_collateral_and_fees_into_the_account() public {
        uint256 before = usdc.balanceOf(alice);
        bytes32 key = create();
        assertState(key, IVault.PositionState.Pending);
        assertEq(before - usdc.balanceOf(alice), 100e6 + 3e6 + 12e6, "paid");
        assertEq(cashOf(key), 115e6, "held by the account");
        assertEq(pool.bookOf().lentUsdcUnits, 0, "nothing lent yet");
        assertSolvent();
    }

    function test_open_whole() public {
        uint256 before = usdc.balanceOf(alice);
        bytes32 key = open();
        assertState(key, IVault.PositionState.Open);
        IVault.Position memory p = vault.positionOf(key);
        assertEq(p.tokenUnits, 600e6, "tokens");
        assertEq(p.principalUsdcUnits, 200e6, "principal");
        assertEq(before - usdc.balanceOf(alice), 100e6 + 3e6 + 9e6, "collateral, origination, fee really charged");
        assertEq(cashOf(key), 0, "nothing left behind");
        assertEq(pool.bookOf().lentUsdcUnits, 200e6, "lent");
        assertAllowancesOff(key);
        assertSolvent();
    }

    function test_open_partial_costs_the_users_share() public {
        IVault.CreateRequest memory r = request();
        r.minFillBps = 4_000;
        bytes32 key = create(r, alice);
        uint256 before = usdc.balanceOf(alice);
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        fill(o, 150e6, 300e6, 4_500_000);
        finalize(key);
        assertEq(principalOf(key), 100e6, "half the loan");
        assertEq(usdc.balanceOf(alice) - before, 50e6 + 1_500_000 + 7_500_000, "refund");
        assertEq(pool.bookOf().lentUsdcUnits, 100e6, "lent");
        assertSolvent();
    }

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
        assertEq(pool.totalAssets(), 500_000e6, "share price untouched");
        assertSolvent();
    }

    function test_settle_win() public {
        bytes32 key = open();
        uint256 before = usdc.balanceOf(alice);
        resolve(1, 0);
        vm.prank(stranger, stranger);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        assertEq(usdc.balanceOf(alice) - before, 400e6, "600 of payout less 200 of debt");
        assertSolvent();
    }

    function test_settle_lose() public {
        bytes32 key = open();
        resolve(0, 1);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 200e6, "bad debt");
        assertEq(pool.bookOf().lentUsdcUnits, 0, "loan gone from the book");
        assertSolvent();
    }

    function test_settle_void() public {
        bytes32 key = open();
        uint256 before = usdc.balanceOf(alice);
        resolve(1, 1);
        vault.settle(key);
        assertEq(usdc.balanceOf(alice) - before, 100e6, "half a dollar per token less debt");
    }

    function test_F27_odd_vector_settles_by_measurement() public {
        bytes32 key = open();
        uint256 before = usdc.balanceOf(alice);
        resolve(2, 1);
        vault.settle(key);
        assertEq(usdc.balanceOf(alice) - before, 200e6, "two thirds per token less debt");
    }

    function test_cancel_before_any_order_refunds_everything() public {
        uint256 before = usdc.balanceOf(alice);
        bytes32 key = create();
        vm.prank(alice, alice);
        vault.cancelPosition(key);
        assertState(key, IVault.PositionState.Cancelled);
        assertEq(usdc.balanceOf(alice), before, "all of it");
        assertSolvent();
    }

    function test_revert_after_unfilled_order_returns_loan_and_money() public {
        uint256 before = usdc.balanceOf(alice);
        bytes32 key = create();
        authorizeOpen(key, 5_000);
        assertEq(pool.bookOf().lentUsdcUnits, 200e6, "lent");
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
        assertEq(usdc.balanceOf(alice), before, "all of it");
        assertEq(pool.bookOf().lentUsdcUnits, 0, "loan back");
        assertAllowancesOff(key);
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

    function test_add_margin_lowers_the_liquidation_price() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.addMargin(key, 50e6);
        assertEq(principalOf(key), 150e6, "principal");
        assertEq(vault.liquidationPriceOf(key), 2_725, "price");
        assertSolvent();
    }

    function test_exit_by_repaying() public {
        bytes32 key = open();
        skip(10 days);
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        uint256 before = usdc.balanceOf(alice);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, bob);
        assertState(key, IVault.PositionState.Closed);
        assertEq(before - usdc.balanceOf(alice), principal + fees, "debt paid");
        assertEq(tokens.balanceOf(bob, yesId), 600e6, "tokens handed out");
        assertSolvent();
    }

    function test_claim_hands_out_late_money_after_bad_debt() public {
        bytes32 key = open();
        resolve(0, 1);
        vault.settle(key);
        usdc.mint(vault.accountOf(key), 250e6);
        uint256 before = usdc.balanceOf(alice);
        vm.prank(stranger, stranger);
        vault.claim(key);
        assertEq(usdc.balanceOf(alice) - before, 50e6, "owner after bad debt");
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 0, "recovered");
        assertSolvent();
    }
}
