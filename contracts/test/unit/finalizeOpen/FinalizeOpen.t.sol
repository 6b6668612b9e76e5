// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice The end of an opening: who may end it when, and what user, pool and venue have then.
contract FinalizeOpenTest is VaultFixture {
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

    function test_strangers_finalize_only_when_nothing_is_live_and_time_is_over() public {
        bytes32 key = create();
        vm.startPrank(stranger, stranger);
        vm.expectRevert(IVault.NotFinalizableYet.selector);
        vault.finalize(key);
        vm.stopPrank();
        authorizeOpen(key, 5_000);
        vm.startPrank(stranger, stranger);
        vm.expectRevert(abi.encodeWithSelector(IVault.OrderLive.selector, START + 120));
        vault.finalize(key);
        vm.warp(START + 121);
        vm.expectRevert(IVault.NotFinalizableYet.selector);
        vault.finalize(key);
        vm.warp(START + 300);
        vm.expectRevert(IVault.NotFinalizableYet.selector);
        vault.finalize(key);
        vm.warp(START + 301);
        vault.finalize(key);
        vm.stopPrank();
        assertState(key, IVault.PositionState.Reverted);
        vm.expectRevert(abi.encodeWithSelector(IVault.WrongState.selector, IVault.PositionState.Reverted));
        vault.finalize(key);
        vm.expectRevert(abi.encodeWithSelector(IVault.WrongState.selector, IVault.PositionState.None));
        vault.finalize(bytes32(0));
    }

    function test_F10_ghost_fill_refunds_and_frees_capacity() public {
        uint256 free = pool.freeLiquidity();
        uint256 before = usdc.balanceOf(alice);
        bytes32 key = create();
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        vm.prank(maker, maker);
        tokens.setApprovalForAll(address(exchange), false);
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(yesId, 1, 600e6, 300e6);
        vm.expectRevert(bytes("ERC1155: need operator approval for 3rd party transfers."));
        matchWith(o, makers, 300e6, 0);
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
        assertEq(usdc.balanceOf(alice), before, "refunded");
        assertEq(pool.freeLiquidity(), free, "capacity back");
    }

    /// @dev An exchange that breaks its promise takes the money and brings nothing: the loss stays on the position.
    function test_money_taken_without_tokens_is_bad_debt_that_late_money_repays() public {
        bytes32 key = create();
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        address account = vault.accountOf(key);
        vm.prank(address(exchange), address(exchange));
        usdc.transferFrom(account, address(exchange), o.makerAmount);
        uint256 cash = usdc.balanceOf(account);
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
        uint256 badDebt = 200e6 - cash;
        assertEq(vault.positionOf(key).badDebtUsdcUnits, badDebt, "bad debt of the position");
        usdc.mint(account, badDebt + 1e6);
        uint256 before = usdc.balanceOf(alice);
        vault.claim(key);
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 0, "repaid first");
        assertEq(usdc.balanceOf(alice) - before, 1e6, "the rest is the user's");
        assertSolvent();
    }

    /// @dev An exchange that does not answer says of no fill that it was one: the user's own money pays first.
    function test_opening_without_a_status_pays_its_fee_and_borrows_what_own_money_lacks() public {
        bytes32 key = create();
        fillWhole(authorizeOpen(key, 5_000), 9e6);
        uint256 treasuryOwed = pool.bookOf().treasuryOwedUsdcUnits;
        vm.mockCallRevert(address(exchange), abi.encodeWithSelector(IVenueExchange.getOrderStatus.selector), "no");
        finalize(key);
        vm.clearMockedCalls();
        assertEq(principalOf(key), 309e6 - 112e6, "what collateral and fee budget could not pay");
        assertEq(pool.bookOf().treasuryOwedUsdcUnits - treasuryOwed, 3e6, "and the whole fee");
    }

    function test_limit_free_loan_while_pending() public {
        bytes32 key = create();
        authorizeOpen(key, 5_000);
        skip(30 days);
        assertEq(pool.bookOf().lentUsdcUnits, 200e6, "lent for a month while it is not finalized");
        vm.prank(stranger, stranger);
        vault.finalize(key);
        assertEq(pool.bookOf().lentUsdcUnits, 0, "anyone ends it");
    }
}
