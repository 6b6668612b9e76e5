// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {LiquidityPool} from "../../src/LiquidityPool.sol";
import {Vault} from "../../src/Vault.sol";
import {VaultFixture} from "./VaultFixture.sol";
import {Vm} from "./Vm.sol";

/// @notice A redeemer that answers and pays nothing.
contract IdleRedeemer {
    function redeemPositions(address, bytes32, bytes32, uint256[] calldata) external {}
}

/// @notice What an independent reading found, and what became of it; `limit` in a name says that it stays as told.
contract ReviewTest is VaultFixture {
    function seedOf(uint128 number) private pure returns (bytes16) {
        return bytes16(number << 100);
    }

    function feeOfLiquidations() private returns (uint256 fee) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] != ILiquidityPool.Booked.selector) continue;
            fee += abi.decode(logs[i].data, (ILiquidityPool.Booking)).liquidationFeeUsdcUnits;
        }
    }

    // ------------------------------------------------------------ fees and losses

    /// @dev Until the fill a repaid loan is a rescued one: there is nothing left that a fee could be taken on.
    function test_review_limit_margin_before_the_match_leaves_no_principal_for_the_fee() public {
        bytes32 key = open();
        IVenueExchange.Order memory o = authorizeSale(key, IVault.Purpose.Liquidate, 600e6, 3_600);
        vm.prank(alice, alice);
        vault.addMargin(key, 200e6);
        vm.recordLogs();
        fillWhole(o, 0);
        finalize(key);
        assertState(key, IVault.PositionState.Liquidated);
        assertEq(feeOfLiquidations(), 0, "the pool was whole before the sale");
        assertSolvent();
    }

    /// @dev Mark 0.50, liquidation price 0.4905: nobody may liquidate, and the owner's wish must not sell at 0.425
    /// to whoever stands in the book there.
    function test_review_close_of_a_healthy_position_never_sells_below_its_debt() public {
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

    /// @dev Two accounts of one hand: the position buys 8 % over the mark from the friend, sells 15 % under it to him.
    function test_review_open_high_and_close_low_moves_nothing_to_a_friend() public {
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
    function test_review_unwind_sells_everything_below_the_debt_past_the_hard_exit_only() public {
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

    // ------------------------------------------------------------ pool shares

    /// @dev A recovery stays in the reserve, so a deposit between a write-off and the settlement earns fees only.
    function test_review_deposit_before_a_recovery_takes_nothing_of_it() public {
        bytes32 key = open(requestOf(seedOf(1), 30_000e6, 50_000), alice, 5_000);
        skip(60 days);
        vm.prank(owner, owner);
        vault.writeOff(key);
        uint256 assets = pool.totalAssets();
        usdc.mint(bob, assets);
        vm.startPrank(bob, bob);
        usdc.approve(address(pool), type(uint256).max);
        pool.deposit(assets, bob);
        vm.stopPrank();
        resolve(1, 0);
        vault.settle(key);
        vm.startPrank(bob, bob);
        pool.requestRedeem(pool.balanceOf(bob));
        skip(24 hours);
        uint256 got = pool.redeem(pool.maxRedeem(bob), bob, bob);
        vm.stopPrank();
        assertEq(assets, 405_000e6, "what was left after the loss of 120,000 USD less the reserve");
        // 5 % of the recovered 120,000 filled the reserve up to its target before; now all of it stays there.
        assertEq(pool.bookOf().reserveUsdcUnits, 120_000e6, "kept for the next loss");
        assertLe(got - assets, 1_000e6, "a half of sixty days of lifetime fees, none of the recovery");
    }

    /// @dev Requests in two accounts, asked for again when they lapse: one of them is usable at any time.
    function test_review_limit_two_rolling_requests_leave_one_usable_at_all_times() public {
        vm.startPrank(lp, lp);
        uint256 half = pool.balanceOf(lp) / 2;
        pool.transfer(bob, half);
        pool.requestRedeem(half);
        vm.stopPrank();
        skip(24 hours);
        for (uint256 day = 0; day < 4; ++day) {
            address waits = day % 2 == 0 ? bob : lp;
            address may = day % 2 == 0 ? lp : bob;
            vm.startPrank(waits, waits);
            uint256 old = pool.redeemRequestOf(waits).shares;
            if (old != 0) pool.cancelRedeem(waits, old);
            pool.requestRedeem(half);
            vm.stopPrank();
            assertEq(pool.maxRedeem(may), half, "usable");
            skip(24 hours);
            assertEq(pool.maxRedeem(may), half, "until the other one is");
        }
    }

    /// @dev What the max functions say can be done, after a loss and with little idle.
    function testFuzz_review_max_functions_are_exact_after_losses_and_with_little_idle(
        uint256 collateral,
        uint256 payout,
        uint256 shares
    ) public {
        collateral = bound(collateral, 1e6, 46_000e6);
        payout = bound(payout, 0, 1);
        shares = bound(shares, 1e12, pool.balanceOf(lp));
        open(requestOf(seedOf(1), 3_000e6, 50_000), bob, 5_000);
        bytes32 key = open(requestOf(seedOf(2), collateral, 50_000), alice, 5_000);
        skip(1 days);
        resolve(payout, 1 - payout);
        vault.settle(key);
        vm.startPrank(lp, lp);
        pool.requestRedeem(shares);
        skip(24 hours);
        uint256 snapshot = vm.snapshotState();
        uint256 most = pool.maxRedeem(lp);
        assertEq(pool.previewRedeem(most), pool.redeem(most, lp, lp), "redeem");
        vm.revertToState(snapshot);
        uint256 mostAssets = pool.maxWithdraw(lp);
        assertEq(pool.previewWithdraw(mostAssets), pool.withdraw(mostAssets, lp, lp), "withdraw");
        vm.revertToState(snapshot);
        vm.expectRevert();
        pool.redeem(most + 1, lp, lp);
        vm.expectRevert();
        pool.withdraw(mostAssets + 1, lp, lp);
        vm.stopPrank();
        usdc.mint(lp, pool.maxDeposit(lp));
        vm.startPrank(lp, lp);
        uint256 mint = pool.maxMint(lp);
        assertEq(pool.previewMint(mint), pool.mint(mint, lp), "mint");
        vm.stopPrank();
        assertSolvent();
    }

    // ------------------------------------------------------------ money that waits in an account

    function test_review_limit_deferred_payment_pays_a_later_liquidation_and_its_fee() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 300e6, 0);
        IVenueExchange.Order memory o = authorizeSale(key, IVault.Purpose.Close, 300e6, 6_000);
        fillWhole(o, 0);
        usdc.setBlacklisted(alice, true);
        finalize(key);
        uint256 hers = cashOf(key);
        assertEq(hers, 80e6, "told as paid to her, waiting");
        usdc.setBlacklisted(alice, false);
        vm.recordLogs();
        sell(key, IVault.Purpose.Liquidate, 300e6, 3_000);
        assertEq(feeOfLiquidations(), 1e6, "a fee on the whole loan");
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 0, "her 80 USD paid the loss of 12.7 USD and the fee");
    }

    function test_review_claim_for_a_blacklisted_owner_adds_up_to_nothing() public {
        bytes32 key = open();
        usdc.setBlacklisted(alice, true);
        closeAll(key, 6_000);
        uint256 waiting = cashOf(key);
        vm.recordLogs();
        vm.startPrank(stranger, stranger);
        vault.claim(key);
        vault.claim(key);
        vm.stopPrank();
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 told;
        uint256 deferred;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] == IVault.PaymentDeferred.selector) deferred += abi.decode(logs[i].data, (uint256));
            if (logs[i].topics[0] != IVault.Claimed.selector) continue;
            (uint256 user, , ) = abi.decode(logs[i].data, (uint256, uint256, uint256));
            told += user;
        }
        assertEq(told, 2 * waiting, "told twice");
        assertEq(deferred, told, "and taken back as often");
        assertEq(cashOf(key), waiting, "nothing moved");
    }

    function test_review_redeemer_that_pays_nothing_gives_no_tokens_away() public {
        Vault.Deployment memory d = deployment();
        d.redeemer = address(new IdleRedeemer());
        vault = deployVault(d);
        pool = LiquidityPool(vault.pool());
        vault.registerOutcome(oracle, QUESTION, 1);
        fundPool(500_000e6, 25_000e6);
        fundUser(alice, 1_000e6);
        bytes32 key = open();
        resolve(1, 0);
        vm.startPrank(alice, alice);
        vault.settle(key);
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 200e6, "owed");
        vm.expectRevert(IVault.NothingToClaim.selector);
        vault.claim(key);
        usdc.transfer(vault.accountOf(key), 200e6);
        vault.claim(key);
        vm.stopPrank();
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 0, "repaid");
        assertEq(tokens.balanceOf(alice, yesId), 600e6, "and only then handed out");
    }

    function test_review_redeemer_without_code_is_refused_at_deployment() public {
        Vault.Deployment memory d = deployment();
        d.redeemer = address(0xdead);
        vm.expectRevert(IVault.DeploymentMismatch.selector);
        deployVault(d);
    }

    // ------------------------------------------------------------ orders

    /// @dev A margin of five tokens' worth in front of an unwind sized to the bound makes its authorisation fail.
    function test_review_limit_margin_in_front_of_an_unwind_refuses_it() public {
        bytes32 key = open();
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 5_000, 5_000);
        uint256 most = uint256(200e6) * 1e8 / (uint256(5_000) * 9_650) + 1 + 5e6;
        IVenueExchange.Order memory o = orderOf(key, 1, most, most / 2 + 1);
        vm.prank(alice, alice);
        vault.addMargin(key, 1);
        vm.expectRevert(IVault.OrderAmountOutOfRange.selector);
        authorize(key, o, a);
    }

    /// @dev An order that is over but not ended keeps its allowance: a pre-approved one fills hours later.
    function test_review_limit_expired_order_that_nobody_ended_can_still_be_filled() public {
        bytes32 key = create();
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        vm.prank(operator, operator);
        exchange.preapproveOrder(o);
        skip(1 days);
        fillWhole(o, 9e6);
        finalize(key);
        assertState(key, IVault.PositionState.Open);
    }

    /// @dev The status read is the newest order's and says nothing: what was spent counts as the trade.
    function test_review_fill_of_an_older_order_pays_as_any_other() public {
        bytes32 key = create();
        IVenueExchange.Order memory old = authorizeOpen(key, 5_000);
        vm.prank(operator, operator);
        exchange.preapproveOrder(old);
        authorizeOpen(key, 5_000);
        fillWhole(old, 9e6);
        uint256 treasuryOwed = pool.bookOf().treasuryOwedUsdcUnits;
        finalize(key);
        assertState(key, IVault.PositionState.Open);
        assertEq(vault.positionOf(key).tokenUnits, 600e6, "all tokens");
        assertEq(principalOf(key), 200e6, "the loan of a whole fill");
        assertGe(pool.bookOf().treasuryOwedUsdcUnits, treasuryOwed + 1, "and its origination fee");
    }

    function test_review_limit_new_close_request_is_swallowed_by_a_sale_not_yet_booked() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 200e6, 0);
        fillWhole(authorizeSale(key, IVault.Purpose.Close, 200e6, 5_000), 0);
        vm.prank(alice, alice);
        vault.requestClose(key, 150e6, 4_000);
        finalize(key);
        assertEq(vault.positionOf(key).closeTokenUnits, 0, "her second request is gone");
    }

    // ------------------------------------------------------------ roles and views

    function test_review_owner_who_is_guardian_removes_the_last_one() public {
        vm.startPrank(owner, owner);
        vault.setGuardian(owner);
        vault.setRole(IVault.Role.Keeper, keeper, false);
        vm.stopPrank();
        assertTrue(!vault.hasRole(IVault.Role.Keeper, keeper), "he is the owner first");
    }

    /// @dev One hot key may take a stolen key away, never the last one: its standby goes on selling.
    function test_review_guardian_never_removes_the_last_keeper_or_price_signer() public {
        address standby = address(0x5ab);
        vm.prank(owner, owner);
        vault.setRole(IVault.Role.Keeper, standby, true);
        vm.startPrank(guardian, guardian);
        vault.setRole(IVault.Role.Keeper, keeper, false);
        vm.expectRevert(abi.encodeWithSelector(IVault.LastOfRole.selector, IVault.Role.Keeper));
        vault.setRole(IVault.Role.Keeper, standby, false);
        address signer = vm.addr(PRICE_KEY);
        vm.expectRevert(abi.encodeWithSelector(IVault.LastOfRole.selector, IVault.Role.PriceSigner));
        vault.setRole(IVault.Role.PriceSigner, signer, false);
        vm.stopPrank();
        vm.startPrank(owner, owner);
        vault.setRole(IVault.Role.Keeper, standby, true);
        vault.setRole(IVault.Role.Keeper, standby, false);
        assertTrue(!vault.hasRole(IVault.Role.Keeper, standby), "the owner may remove the last one");
        vault.setRole(IVault.Role.Keeper, standby, false);
        vault.setRole(IVault.Role.Keeper, keeper, true);
        vm.stopPrank();
        vm.prank(guardian, guardian);
        vm.expectRevert(abi.encodeWithSelector(IVault.LastOfRole.selector, IVault.Role.Keeper));
        vault.setRole(IVault.Role.Keeper, keeper, false);
    }

    function test_review_finished_position_reads_as_nothing_to_liquidate() public {
        bytes32 key = open();
        sell(key, IVault.Purpose.Liquidate, 599_990_001, 3_000);
        assertState(key, IVault.PositionState.Liquidated);
        (, uint256 threshold, bool liquidatable) = vault.healthOf(key, 9_999);
        assertTrue(!liquidatable && threshold == 0, "it is over");
        assertEq(vault.liquidationPriceOf(key), 0, "no price");
    }

    function test_review_exit_tells_a_division_that_adds_up() public {
        bytes32 key = open();
        usdc.mint(vault.accountOf(key), 7e6);
        vm.recordLogs();
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] != IVault.PositionExited.selector) continue;
            (, , IVault.Distribution memory d) = abi.decode(logs[i].data, (address, uint256, IVault.Distribution));
            assertEq(d.proceedsUsdcUnits, 207e6, "paid in, and found in the account");
            assertEq(d.principalUsdcUnits + d.userUsdcUnits, 207e6, "all of it divided");
        }
    }

    /// @dev An exchange that does not answer changes nothing for an opening that was filled.
    function test_review_opening_without_a_status_pays_as_any_other() public {
        bytes32 key = create();
        fillWhole(authorizeOpen(key, 5_000), 9e6);
        uint256 treasuryOwed = pool.bookOf().treasuryOwedUsdcUnits;
        vm.mockCallRevert(address(exchange), abi.encodeWithSelector(IVenueExchange.getOrderStatus.selector), "no");
        finalize(key);
        vm.clearMockedCalls();
        assertEq(principalOf(key), 200e6, "the loan");
        assertGe(pool.bookOf().treasuryOwedUsdcUnits, treasuryOwed + 1, "and the fee");
    }

    function test_review_limit_free_loan_while_pending() public {
        bytes32 key = create();
        authorizeOpen(key, 5_000);
        skip(30 days);
        assertEq(pool.bookOf().lentUsdcUnits, 200e6, "lent for a month when nobody finalizes");
        vm.prank(stranger, stranger);
        vault.finalize(key);
        assertEq(pool.bookOf().lentUsdcUnits, 0, "anyone ends it");
    }
}
