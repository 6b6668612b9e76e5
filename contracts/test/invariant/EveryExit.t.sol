// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../fixtures/VaultFixture.sol";

/// @notice A life broken off at every step it can be at. The keeper never comes back: the user alone reaches the money,
/// or a plain account and a user whose wallet has code. The market resolves: anyone settles. Every ending is named,
/// and its money is known to the unit.
contract EveryExitTest is VaultFixture {
    enum Step {
        PendingWithoutOrder,
        PendingWithOutstandingOrder,
        OpeningPartFilledAndOver,
        CancelRequested,
        CancelRequestedAndPartFilled,
        OpeningFilledUnbooked,
        Open,
        CloseRequestedWithoutOrder,
        CloseOrderOutstanding,
        CloseFilledUnbooked,
        ClosePartFilledUnbooked,
        UnwindOrderOutstanding,
        UnwindFilledUnbooked,
        LiquidationOrderOutstanding,
        LiquidationFilledUnbooked,
        Impaired
    }

    /// @notice Open items of a step: an outstanding order, an opening that is not booked, tokens that were
    /// bought and is owed for it, what an order sold that is not booked, and what origination and venue cost.
    struct Left {
        bool hasOutstandingOrder;
        bool pending;
        uint256 boughtTokenUnits;
        uint256 lentUsdcUnits;
        uint256 soldTokenUnits;
        uint256 soldForUsdcUnits;
        uint256 originationFeeUsdcUnits;
        uint256 spentOnTheVenueUsdcUnits;
    }

    /// @notice Balances before a life and after it.
    struct Wealth {
        uint256 user;
        uint256 tokenUnits;
        uint256 pool;
    }

    uint256 private constant LIFETIME_FEE_APR_BPS = 1_000;
    uint256 private constant LIQUIDATION_FEE_BPS = 100;

    function advanceTo(Step step) private returns (bytes32 key) {
        if (step >= Step.Open) {
            key = open();
            return reachOpen(step, key);
        }
        IVault.CreateRequest memory r = request();
        r.minFillBps = 5_000;
        key = create(r, alice);
        if (step == Step.PendingWithoutOrder) return key;
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        bool part = step == Step.OpeningPartFilledAndOver || step == Step.CancelRequestedAndPartFilled;
        if (part) fill(o, 150e6, 300e6, 4_500_000);
        if (step == Step.OpeningFilledUnbooked) fillWhole(o, 9e6);
        if (step != Step.CancelRequested && step != Step.CancelRequestedAndPartFilled) return key;
        vm.prank(alice, alice);
        vault.cancelPosition(key);
        assertState(key, IVault.PositionState.Pending);
    }

    function reachOpen(Step step, bytes32 key) private returns (bytes32) {
        if (step == Step.Impaired) {
            vm.prank(guardian, guardian);
            vault.impair(key, true);
        }
        if (step >= Step.CloseRequestedWithoutOrder && step <= Step.ClosePartFilledUnbooked) {
            vm.prank(alice, alice);
            vault.requestClose(key, step == Step.ClosePartFilledUnbooked ? 300e6 : 600e6, 0);
        }
        if (step == Step.CloseOrderOutstanding) authorizeSale(key, IVault.Purpose.Close, 600e6, 6_000);
        if (step == Step.CloseFilledUnbooked) fillWhole(authorizeSale(key, IVault.Purpose.Close, 600e6, 6_000), 0);
        if (step == Step.ClosePartFilledUnbooked) fillWhole(authorizeSale(key, IVault.Purpose.Close, 300e6, 6_000), 0);
        if (step == Step.UnwindOrderOutstanding) authorizeSale(key, IVault.Purpose.Unwind, 100e6, 5_000);
        if (step == Step.UnwindFilledUnbooked) fillWhole(authorizeSale(key, IVault.Purpose.Unwind, 100e6, 5_000), 0);
        if (step == Step.LiquidationOrderOutstanding) authorizeSale(key, IVault.Purpose.Liquidate, 600e6, 3_600);
        if (step == Step.LiquidationFilledUnbooked) {
            fillWhole(authorizeSale(key, IVault.Purpose.Liquidate, 600e6, 3_600), 0);
        }
        return key;
    }

    /// @dev Open items at a step, as figures and not read from the vault.
    function leftAt(Step step) private pure returns (Left memory left) {
        left.pending = step < Step.Open;
        left.hasOutstandingOrder = step != Step.PendingWithoutOrder && step != Step.Open;
        if (step == Step.CloseRequestedWithoutOrder || step == Step.Impaired) left.hasOutstandingOrder = false;
        if (step <= Step.PendingWithOutstandingOrder || step == Step.CancelRequested) return left;
        bool part = step == Step.OpeningPartFilledAndOver || step == Step.CancelRequestedAndPartFilled;
        left.boughtTokenUnits = part ? 300e6 : 600e6;
        left.lentUsdcUnits = part ? 100e6 : 200e6;
        left.originationFeeUsdcUnits = part ? 1_500_000 : 3e6;
        left.spentOnTheVenueUsdcUnits = part ? 154_500_000 : 309e6;
        if (step == Step.CloseFilledUnbooked) (left.soldTokenUnits, left.soldForUsdcUnits) = (600e6, 360e6);
        if (step == Step.ClosePartFilledUnbooked) (left.soldTokenUnits, left.soldForUsdcUnits) = (300e6, 180e6);
        if (step == Step.UnwindFilledUnbooked) (left.soldTokenUnits, left.soldForUsdcUnits) = (100e6, 50e6);
        if (step == Step.LiquidationFilledUnbooked) (left.soldTokenUnits, left.soldForUsdcUnits) = (600e6, 216e6);
    }

    /// @dev The state a life ends in when its user leaves: a cancel where nothing was bought, a sale where an expired
    /// order had sold everything, else by the user's own repayment.
    function endWithoutKeeper(Step step) private pure returns (IVault.PositionState) {
        if (step <= Step.PendingWithOutstandingOrder) return IVault.PositionState.Cancelled;
        if (step == Step.CancelRequested) return IVault.PositionState.Cancelled;
        if (step == Step.LiquidationFilledUnbooked) return IVault.PositionState.Liquidated;
        return IVault.PositionState.Closed;
    }

    /// @dev The state anyone's settlement ends it in: what was sold wholly before ends by that sale.
    function endBySettlement(Step step) private pure returns (IVault.PositionState) {
        if (step <= Step.PendingWithOutstandingOrder) return IVault.PositionState.Reverted;
        if (step == Step.CancelRequested) return IVault.PositionState.Cancelled;
        if (step == Step.CloseFilledUnbooked) return IVault.PositionState.Closed;
        if (step == Step.LiquidationFilledUnbooked) return IVault.PositionState.Liquidated;
        return IVault.PositionState.Settled;
    }

    function test_keeper_gone_at_every_step_the_user_alone_reaches_the_money() public {
        endEveryStep(leaveAlone, endWithoutKeeper, 0);
    }

    function test_keeper_gone_at_every_step_a_wallet_with_code_needs_one_plain_account() public {
        endEveryStep(leaveByWallet, endWithoutKeeper, 0);
    }

    function test_market_won_at_every_step_anyone_settles() public {
        endEveryStep(settleWon, endBySettlement, 10_000);
    }

    function test_market_void_at_every_step_anyone_settles() public {
        endEveryStep(settleVoid, endBySettlement, 5_000);
    }

    /// @dev payoutPips: what a token that is not sold redeems for; 0 where its owner takes it instead.
    function endEveryStep(
        function(bytes32, Left memory) internal end,
        function(Step) internal pure returns (IVault.PositionState) expected,
        uint256 payoutPips
    ) private {
        uint256 start = vm.snapshotState();
        for (uint256 i = 0; i <= uint256(type(Step).max); ++i) {
            Step step = Step(i);
            Wealth memory before = wealth();
            bytes32 key = advanceTo(step);
            Left memory left = leftAt(step);
            string memory where = string.concat(" at step ", vm.toString(i));
            bool isOutstanding = vault.liveOrderOf(key).orderHash != 0;
            assertTrue(isOutstanding == left.hasOutstandingOrder, string.concat("order", where));
            end(key, left);
            uint256 fees = feesOf(step);
            assertEq(uint256(stateOf(key)), uint256(expected(step)), string.concat("state", where));
            assertMoney(before, left, expected(step), payoutPips, fees, where);
            assertEq(cashOf(key) + tokensOf(key), 0, string.concat("nothing is left behind", where));
            vm.revertToState(start);
        }
    }

    /// @dev User + pool + venue: each to the unit.
    function assertMoney(
        Wealth memory before,
        Left memory left,
        IVault.PositionState state,
        uint256 payoutPips,
        uint256 fees,
        string memory where
    ) private view {
        Wealth memory afterwards = wealth();
        uint256 kept = left.boughtTokenUnits - left.soldTokenUnits;
        uint256 earned = left.originationFeeUsdcUnits + fees;
        // A liquidation takes its fee on the principal it repaid, which is all of it.
        if (state == IVault.PositionState.Liquidated) earned += (left.lentUsdcUnits * LIQUIDATION_FEE_BPS) / 10_000;
        uint256 received = before.user + left.soldForUsdcUnits + (kept * payoutPips) / 10_000;
        uint256 spent = left.spentOnTheVenueUsdcUnits + earned;
        assertEq(afterwards.user, received - spent, string.concat("user's USDC", where));
        uint256 taken = payoutPips == 0 ? kept : 0;
        assertEq(afterwards.tokenUnits, before.tokenUnits + taken, string.concat("user's tokens", where));
        assertEq(afterwards.pool, before.pool + earned, string.concat("the pool is whole and has its fees", where));
        assertEq(pool.bookOf().lentUsdcUnits, 0, string.concat("nothing is lent", where));
        assertEq(pool.bookOf().impairedUsdcUnits, 0, string.concat("nothing is impaired", where));
        (uint256 balance, uint256 booked) = pool.solvency();
        assertEq(balance, booked, string.concat("the pool holds what it books", where));
    }

    /// @dev The user's own account, in its own transactions, after every order's time and every window is over.
    function leaveAlone(bytes32 key, Left memory) private {
        skip(301);
        vm.startPrank(alice, alice);
        if (stateOf(key) == IVault.PositionState.Pending) vault.cancelPosition(key);
        if (stateOf(key) == IVault.PositionState.Open) vault.exitByRepaying(key, alice);
        vm.stopPrank();
    }

    /// @dev The user is a wallet called by another account's transaction: where an order is outstanding it
    /// leaves its request, another plain account ends the order, and then the wallet takes what is its own.
    function leaveByWallet(bytes32 key, Left memory left) private {
        skip(301);
        if (left.pending) {
            vm.prank(alice, bob);
            vault.cancelPosition(key);
        } else if (left.hasOutstandingOrder) {
            vm.prank(alice, bob);
            vm.expectRevert(IVault.InsideCall.selector);
            vault.exitByRepaying(key, alice);
        }
        if (left.hasOutstandingOrder) {
            vm.prank(stranger, stranger);
            vault.finalize(key);
        }
        if (stateOf(key) != IVault.PositionState.Open) return;
        vm.prank(alice, bob);
        vault.exitByRepaying(key, alice);
    }

    /// @dev Resolved and settled while orders are live still: settlement does not wait for their end.
    function settleWon(bytes32 key, Left memory) private {
        skip(30);
        resolve(1, 0);
        vm.prank(stranger, stranger);
        vault.settle(key);
    }

    function settleVoid(bytes32 key, Left memory) private {
        skip(30);
        resolve(1, 1);
        vm.prank(stranger, stranger);
        vault.settle(key);
    }

    /// @dev ceil(200 USD × 10 % × time / year), in USDC units: none until the opening is booked.
    /// Until a sale is booked nothing of the loan is repaid.
    function feesOf(Step step) private view returns (uint256) {
        if (step < Step.Open) return 0;
        uint256 scaled = 200e6 * LIFETIME_FEE_APR_BPS * (block.timestamp - START);
        uint256 year = 365 days * 10_000;
        return (scaled + year - 1) / year;
    }

    /// @dev The pool's wealth: what it holds and what it lent.
    function wealth() private view returns (Wealth memory w) {
        w.user = usdc.balanceOf(alice);
        w.tokenUnits = tokens.balanceOf(alice, yesId);
        ILiquidityPool.Book memory book = pool.bookOf();
        w.pool = usdc.balanceOf(address(pool)) + book.lentUsdcUnits + book.impairedUsdcUnits;
    }
}
