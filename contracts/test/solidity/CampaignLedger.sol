// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {PoolBook} from "../../src/libraries/PoolBook.sol";
import {VaultFixture} from "./VaultFixture.sol";
import {Vm} from "./Vm.sol";

/// @notice I27: the ledger as somebody knows it who sees events only. Nothing in it was read from a view; what the
/// venue moves is known from USDC's own transfers, and the time of an event is that of its block.
abstract contract CampaignLedger is VaultFixture {
    using PoolBook for PoolBook.Figures;

    /// @notice One position and its standing order, every field as the events tell it. cash is what its account holds,
    /// lent what it ever borrowed, paidToVenue what its account paid the exchange since the last authorisation, all in
    /// USDC units. endedFill is a fill that counts once a newer order follows it; lastMakerAmount outlives its order.
    struct Line {
        IVault.Position position;
        IVault.LiveOrder order;
        address account;
        uint256 lent;
        uint256 paidToVenue;
        uint256 endedFill;
        uint256 lastMakerAmount;
        bool opened;
        int256 cash;
    }

    /// @notice What moves a position: the moves of `positionTransitions` in packages/policy, in their order.
    enum Move {
        CreatePosition,
        FinalizeOpened,
        FinalizeRefundedCancelled,
        FinalizeRefundedReverted,
        FinalizeReduced,
        FinalizeSold,
        FinalizeLiquidated,
        Settle,
        ExitByRepaying
    }

    uint256 private constant YEAR_IN_BPS = 365 days * 10_000;

    mapping(bytes32 key => Line line) internal lines;
    mapping(address account => bytes32 key) internal keyOfAccount;
    mapping(uint32 outcomeId => uint256 usdcUnits) internal lentOn;
    mapping(address person => int256 usdcUnits) internal purses;
    mapping(address provider => uint256 shares) internal freeShares;
    mapping(address provider => uint256 shares) internal askedShares;
    mapping(Move move => uint256 times) internal moves;
    PoolBook.Figures internal figures;
    ILiquidityPool.Parameters internal parameters;
    uint256 internal escrowedShares;
    uint256 internal lostUsdcUnits;

    // ------------------------------------------------------------ what a reader may do with an event

    function onOpened(
        bytes32 key,
        uint256 principalUsdcUnits,
        uint256 tradeUsdcUnits,
        uint256 leastTokenUnits
    ) internal virtual {}

    function onReduced(
        bytes32 key,
        IVault.Purpose purpose,
        uint256 sold,
        IVault.Distribution memory d
    ) internal virtual {}

    function onSettled(bytes32 key, IVault.Distribution memory d) internal virtual {}

    function onExited(bytes32 key, IVault.Distribution memory d) internal virtual {}

    function onRefunded(bytes32 key) internal virtual {}

    function onDeferred(bytes32 key, uint256 usdcUnits) internal virtual {}

    function onClaimed(bytes32 key, uint256 usdcUnits, uint256 recovered, uint256 tokenUnits) internal virtual {}

    // ------------------------------------------------------------ folding

    function fold(Vm.Log[] memory logs) internal {
        for (uint256 i = 0; i < logs.length; ++i) {
            Vm.Log memory log = logs[i];
            if (log.topics.length == 0) continue;
            bytes32 topic = log.topics[0];
            if (log.emitter == address(usdc)) foldUsdc(topic, log.topics, log.data);
            else if (log.emitter == address(pool)) foldPool(topic, log.topics, log.data);
            else if (log.emitter == address(vault)) foldVault(topic, log.topics, log.data);
        }
    }

    /// @dev Mints, and what the venue and a redemption move; every other transfer is told by vault and pool.
    function foldUsdc(bytes32 topic, bytes32[] memory topics, bytes memory data) private {
        if (topic != keccak256("Transfer(address,address,uint256)")) return;
        (address from, address to) = (person(topics[1]), person(topics[2]));
        int256 usdcUnits = int256(first(data));
        if (from == address(0)) purses[to] += usdcUnits;
        bool arrives = from == address(0) || from == address(exchange) || from == address(tokens);
        if (arrives && keyOfAccount[to] != 0) lines[keyOfAccount[to]].cash += usdcUnits;
        if (to != address(exchange) || keyOfAccount[from] == 0) return;
        lines[keyOfAccount[from]].cash -= usdcUnits;
        lines[keyOfAccount[from]].paidToVenue += uint256(usdcUnits);
    }

    function foldPool(bytes32 topic, bytes32[] memory topics, bytes memory data) private {
        if (topic == ILiquidityPool.Lent.selector) foldLent(topics, second(data));
        else if (topic == ILiquidityPool.Booked.selector) {
            foldBooked(topics, abi.decode(data, (ILiquidityPool.Booking)));
        } else if (topic == keccak256("Deposit(address,address,uint256,uint256)")) {
            figures.idle += first(data);
            purses[person(topics[1])] -= int256(first(data));
        } else if (topic == ILiquidityPool.Redeemed.selector) {
            escrowedShares -= first(data);
            askedShares[person(topics[1])] -= first(data);
            figures.idle -= second(data);
            purses[person(topics[2])] += int256(second(data));
        } else if (topic == ILiquidityPool.RedeemRequested.selector) {
            escrowedShares += first(data);
            askedShares[person(topics[1])] += first(data);
        } else if (topic == ILiquidityPool.RedeemCancelled.selector) {
            escrowedShares -= first(data);
            askedShares[person(topics[1])] -= first(data);
        } else if (topic == keccak256("Transfer(address,address,uint256)")) {
            if (topics[1] != 0) freeShares[person(topics[1])] -= first(data);
            if (topics[2] != 0) freeShares[person(topics[2])] += first(data);
        } else if (topic == ILiquidityPool.ReserveFunded.selector) {
            figures.reserve += first(data);
            purses[person(topics[1])] -= int256(first(data));
        } else if (topic == ILiquidityPool.TreasuryPaid.selector) {
            figures.treasuryOwed -= first(data);
            purses[person(topics[1])] += int256(first(data));
        } else if (topic == ILiquidityPool.ParametersChanged.selector) {
            parameters = abi.decode(data, (ILiquidityPool.Parameters));
        }
    }

    function foldLent(bytes32[] memory topics, uint256 usdcUnits) private {
        PoolBook.Figures memory f = figures;
        figures = f.lend(usdcUnits);
        lentOn[uint32(uint256(topics[2]))] += usdcUnits;
        Line storage line = lines[topics[1]];
        line.lent += usdcUnits;
        line.position.principalUsdcUnits += uint64(usdcUnits);
        line.cash += int256(usdcUnits);
    }

    function foldBooked(bytes32[] memory topics, ILiquidityPool.Booking memory b) private {
        PoolBook.Figures memory f = figures;
        figures = f.book(parameters, b);
        lentOn[uint32(uint256(topics[2]))] -= b.principalUsdcUnits + b.badDebtUsdcUnits;
        lostUsdcUnits += b.badDebtUsdcUnits;
        Line storage line = lines[topics[1]];
        line.position.principalUsdcUnits -= uint64(b.principalUsdcUnits + b.badDebtUsdcUnits);
        line.position.badDebtUsdcUnits += uint64(b.badDebtUsdcUnits);
        line.position.badDebtUsdcUnits -= uint64(b.recoveredUsdcUnits);
        line.cash -= int256(
            b.principalUsdcUnits +
                b.lifetimeFeeUsdcUnits +
                b.liquidationFeeUsdcUnits +
                b.originationFeeUsdcUnits +
                b.recoveredUsdcUnits
        );
    }

    function foldVault(bytes32 topic, bytes32[] memory topics, bytes memory data) private {
        if (topics.length < 2) return;
        bytes32 key = topics[1];
        IVault.Position storage p = lines[key].position;
        if (topic == IVault.PositionCreated.selector) foldCreated(topics, data);
        else if (topic == IVault.OrderAuthorized.selector) foldAuthorized(topics, data);
        else if (topic == IVault.OrderEnded.selector) {
            delete lines[key].order;
            lines[key].endedFill = first(data);
        } else if (topic == IVault.PositionOpened.selector) foldOpened(key, data);
        else if (topic == IVault.PositionRefunded.selector) {
            bool cancelled = IVault.PositionState(first(data)) == IVault.PositionState.Cancelled;
            Move refunded = cancelled ? Move.FinalizeRefundedCancelled : Move.FinalizeRefundedReverted;
            moved(key, refunded, IVault.PositionState(first(data)));
            toUser(key, int256(second(data)));
            onRefunded(key);
        } else if (topic == IVault.CancelRequested.selector) p.cancelRequested = true;
        else if (topic == IVault.CloseRequested.selector) {
            foldCloseRequest(p, first(data), uint16(second(data)));
        } else if (topic == IVault.MarginAdded.selector) {
            accrue(p, second(data));
            toUser(key, -int256(first(data) + second(data)));
        } else if (topic == IVault.WrittenOff.selector) accrue(p, 0);
        else if (topic == IVault.PaymentDeferred.selector) {
            toUser(key, -int256(first(data)));
            onDeferred(key, first(data));
        } else if (topic == IVault.Claimed.selector) {
            (uint256 paid, uint256 recovered, uint256 tokenUnits) = abi.decode(data, (uint256, uint256, uint256));
            if (tokenUnits != 0) p.tokenUnits = 0;
            toUser(key, int256(paid));
            onClaimed(key, paid, recovered, tokenUnits);
        } else foldEnding(topic, topics, data);
    }

    function foldCreated(bytes32[] memory topics, bytes memory data) private {
        (address account, uint256 originationFee, IVault.CreateRequest memory r) = abi.decode(
            data,
            (address, uint256, IVault.CreateRequest)
        );
        bytes32 key = topics[1];
        IVault.Position storage p = lines[key].position;
        moved(key, Move.CreatePosition, IVault.PositionState.Pending);
        p.user = person(topics[2]);
        p.outcomeId = uint32(uint256(topics[3]));
        p.originationFeeBps = r.originationFeeBps;
        p.lifetimeFeeAprBps = r.lifetimeFeeAprBps;
        p.liquidationFeeBps = r.liquidationFeeBps;
        p.maxLiquidationPricePips = r.maxLiquidationPricePips > 10_000 ? 10_000 : uint16(r.maxLiquidationPricePips);
        p.minFillBps = r.minFillBps;
        p.since = uint40(block.timestamp);
        p.collateralUsdcUnits = uint64(r.collateralUsdcUnits);
        p.notionalUsdcUnits = uint64(r.notionalUsdcUnits);
        p.venueFeeUsdcUnits = uint64(r.venueFeeUsdcUnits);
        p.originalTokenUnits = uint64(r.minPositionTokenUnits);
        lines[key].account = account;
        keyOfAccount[account] = key;
        toUser(key, -int256(r.collateralUsdcUnits + originationFee + r.venueFeeUsdcUnits));
    }

    /// @dev A fill of an opening order is counted by the position when a newer order follows; the last one never is.
    function foldAuthorized(bytes32[] memory topics, bytes memory data) private {
        Line storage line = lines[topics[1]];
        (uint256 makerAmount, , uint256 validUntil) = abi.decode(data, (uint256, uint256, uint256));
        IVault.Purpose purpose = IVault.Purpose(uint256(topics[3]));
        if (purpose == IVault.Purpose.Open) line.position.filledUsdcUnits += uint64(line.endedFill);
        line.order = IVault.LiveOrder(topics[2], uint64(makerAmount), uint40(validUntil), purpose);
        (line.lastMakerAmount, line.endedFill, line.paidToVenue) = (makerAmount, 0, 0);
    }

    function foldOpened(bytes32 key, bytes memory data) private {
        (uint256 tokenUnits, uint256 trade, , uint256 principal, , uint256 refund, uint16 exitBufferBps) = abi.decode(
            data,
            (uint256, uint256, uint256, uint256, uint256, uint256, uint16)
        );
        IVault.Position storage p = lines[key].position;
        moved(key, Move.FinalizeOpened, IVault.PositionState.Open);
        uint256 leastTokenUnits = p.originalTokenUnits;
        (p.tokenUnits, p.originalTokenUnits) = (uint64(tokenUnits), uint64(tokenUnits));
        (p.since, p.exitBufferBps) = (uint40(block.timestamp), exitBufferBps);
        lines[key].opened = true;
        toUser(key, int256(refund));
        onOpened(key, principal, trade, leastTokenUnits);
    }

    function foldEnding(bytes32 topic, bytes32[] memory topics, bytes memory data) private {
        bytes32 key = topics[1];
        IVault.Distribution memory d;
        if (topic == IVault.PositionReduced.selector) foldReduced(key, IVault.Purpose(uint256(topics[3])), data);
        else if (topic == IVault.PositionSettled.selector) {
            (, d) = abi.decode(data, (uint256, IVault.Distribution));
            moved(key, Move.Settle, IVault.PositionState.Settled);
            foldFinished(lines[key].position);
            toUser(key, int256(d.userUsdcUnits));
            onSettled(key, d);
        } else if (topic == IVault.PositionExited.selector) {
            (, , d) = abi.decode(data, (address, uint256, IVault.Distribution));
            moved(key, Move.ExitByRepaying, IVault.PositionState.Closed);
            foldFinished(lines[key].position);
            toUser(key, 2 * int256(d.userUsdcUnits) - int256(d.proceedsUsdcUnits));
            onExited(key, d);
        }
    }

    /// @dev A sale; one that closes serves what was asked, and nothing asked is ever more than what is left.
    function foldReduced(bytes32 key, IVault.Purpose purpose, bytes memory data) private {
        (IVault.PositionState state, uint256 sold, uint256 left, IVault.Distribution memory d) = abi.decode(
            data,
            (IVault.PositionState, uint256, uint256, IVault.Distribution)
        );
        IVault.Position storage p = lines[key].position;
        bool liquidates = purpose == IVault.Purpose.Liquidate;
        Move finished = liquidates ? Move.FinalizeLiquidated : Move.FinalizeSold;
        moved(key, left < 10_000 ? finished : Move.FinalizeReduced, state);
        uint256 asked = p.closeTokenUnits;
        if (purpose == IVault.Purpose.Close) asked = asked > sold ? asked - sold : 0;
        if (left < 10_000) foldFinished(p);
        else {
            accrue(p, d.lifetimeFeeUsdcUnits);
            foldCloseRequest(p, asked < left ? asked : left, p.closeMinPricePips);
        }
        p.tokenUnits = uint64(left);
        toUser(key, int256(d.userUsdcUnits));
        onReduced(key, purpose, sold, d);
    }

    function foldCloseRequest(IVault.Position storage p, uint256 tokenUnits, uint16 minPricePips) private {
        p.closeTokenUnits = uint64(tokenUnits);
        p.closeMinPricePips = tokenUnits == 0 ? 0 : minPricePips;
    }

    function foldFinished(IVault.Position storage p) private {
        (p.tokenUnits, p.pendingFeeUsdcUnits, p.since) = (0, 0, uint40(block.timestamp));
        foldCloseRequest(p, 0, 0);
    }

    /// @dev Fees due until now, less what was paid of them. An event that books stands before the pool's booking.
    function accrue(IVault.Position storage p, uint256 paidUsdcUnits) private {
        p.pendingFeeUsdcUnits = uint64(feesAsFolded(p) - paidUsdcUnits);
        p.since = uint40(block.timestamp);
    }

    /// @dev ceil(principal × rate × time), in USDC units, beside what is due already.
    function feesAsFolded(IVault.Position storage p) private view returns (uint256) {
        uint256 due = uint256(p.principalUsdcUnits) * p.lifetimeFeeAprBps * (block.timestamp - p.since);
        return p.pendingFeeUsdcUnits + (due + YEAR_IN_BPS - 1) / YEAR_IN_BPS;
    }

    /// @dev I16 from events alone: the highest mark in pips, floor, at which an open position may be liquidated.
    function liquidationPriceAsFolded(bytes32 key) internal view returns (uint256) {
        IVault.Position storage p = lines[key].position;
        uint256 owed = uint256(p.principalUsdcUnits) + p.badDebtUsdcUnits;
        if (owed == 0) return 0;
        uint256 scaled = (owed + feesAsFolded(p)) * (10_000 + uint256(p.liquidationFeeBps) + p.exitBufferBps);
        return (((scaled + 9_999) / 10_000) * 10_000) / p.tokenUnits;
    }

    // ------------------------------------------------------------ moves

    /// @dev I15: every change of state is one of these nine and no other, as docs/audit/states.md draws them.
    function legalMove(Move move) internal pure returns (IVault.PositionState from, IVault.PositionState to) {
        IVault.PositionState[2][9] memory table = [
            [IVault.PositionState.None, IVault.PositionState.Pending],
            [IVault.PositionState.Pending, IVault.PositionState.Open],
            [IVault.PositionState.Pending, IVault.PositionState.Cancelled],
            [IVault.PositionState.Pending, IVault.PositionState.Reverted],
            [IVault.PositionState.Open, IVault.PositionState.Open],
            [IVault.PositionState.Open, IVault.PositionState.Closed],
            [IVault.PositionState.Open, IVault.PositionState.Liquidated],
            [IVault.PositionState.Open, IVault.PositionState.Settled],
            [IVault.PositionState.Open, IVault.PositionState.Closed]
        ];
        return (table[uint256(move)][0], table[uint256(move)][1]);
    }

    function moved(bytes32 key, Move move, IVault.PositionState to) private {
        (IVault.PositionState from, IVault.PositionState legal) = legalMove(move);
        IVault.Position storage p = lines[key].position;
        assertEq(uint256(p.state), uint256(from), "I15 left from where this move may");
        assertEq(uint256(to), uint256(legal), "I15 to where this move leads");
        if (move == Move.FinalizeRefundedCancelled || move == Move.FinalizeRefundedReverted) {
            bool cancels = move == Move.FinalizeRefundedCancelled;
            assertTrue(p.cancelRequested == cancels, "I15 cancelled exactly when that was asked");
        }
        p.state = to;
        ++moves[move];
    }

    function toUser(bytes32 key, int256 usdcUnits) private {
        lines[key].cash -= usdcUnits;
        purses[lines[key].position.user] += usdcUnits;
    }

    // ------------------------------------------------------------ the views, beside the fold

    function assertBookAsFolded() internal view {
        ILiquidityPool.Book memory book = pool.bookOf();
        assertEq(figures.idle, book.idleUsdcUnits, "I27 idle");
        assertEq(figures.lent, book.lentUsdcUnits, "I27 lent");
        assertEq(figures.reserve, book.reserveUsdcUnits, "I27 reserve");
        assertEq(figures.treasuryOwed, book.treasuryOwedUsdcUnits, "I27 treasury");
        assertEq(escrowedShares, pool.requestedShares(), "I27 escrow");
    }

    /// @dev Every field of a position and of its order. The buffer of an exit is told by the opening and by no event
    /// before it, so that of a position which is not open yet, or never was, is not compared.
    function assertLineAsFolded(
        bytes32 key,
        IVault.Position memory p,
        IVault.LiveOrder memory live,
        uint256 cash
    ) internal view {
        Line storage line = lines[key];
        assertEq(uint256(line.cash), cash, "I6 paid in = paid out + what the account holds");
        IVault.Position memory told = line.position;
        if (!line.opened) told.exitBufferBps = p.exitBufferBps;
        if (keccak256(abi.encode(told, line.order)) == keccak256(abi.encode(p, live))) return;
        assertTermsEqual(told, p);
        assertStandingEqual(told, p);
        assertOrdersEqual(line.order, live);
        revert Untrue("I27 a field without a name");
    }

    /// @dev What is signed or chosen at creation.
    function assertTermsEqual(IVault.Position memory told, IVault.Position memory p) private pure {
        assertEq(told.user, p.user, "I27 user");
        assertEq(told.outcomeId, p.outcomeId, "I27 outcome");
        assertEq(told.originationFeeBps, p.originationFeeBps, "I27 origination fee");
        assertEq(told.lifetimeFeeAprBps, p.lifetimeFeeAprBps, "I27 lifetime fee");
        assertEq(told.liquidationFeeBps, p.liquidationFeeBps, "I27 liquidation fee");
        assertEq(told.maxLiquidationPricePips, p.maxLiquidationPricePips, "I27 highest liquidation price");
        assertEq(told.minFillBps, p.minFillBps, "I27 least fill");
        assertEq(told.collateralUsdcUnits, p.collateralUsdcUnits, "I27 collateral");
        assertEq(told.notionalUsdcUnits, p.notionalUsdcUnits, "I27 notional");
        assertEq(told.venueFeeUsdcUnits, p.venueFeeUsdcUnits, "I27 venue fee");
    }

    /// @dev What changes in the course of a life.
    function assertStandingEqual(IVault.Position memory told, IVault.Position memory p) private pure {
        assertEq(uint256(told.state), uint256(p.state), "I27 state");
        assertEq(told.exitBufferBps, p.exitBufferBps, "I27 exit buffer");
        assertEq(told.closeMinPricePips, p.closeMinPricePips, "I27 least price of a close");
        assertTrue(told.cancelRequested == p.cancelRequested, "I27 cancel asked");
        assertEq(told.since, p.since, "I27 since");
        assertEq(told.principalUsdcUnits, p.principalUsdcUnits, "I27 principal");
        assertEq(told.pendingFeeUsdcUnits, p.pendingFeeUsdcUnits, "I27 pending fee");
        assertEq(told.badDebtUsdcUnits, p.badDebtUsdcUnits, "I27 bad debt");
        assertEq(told.filledUsdcUnits, p.filledUsdcUnits, "I27 filled");
        assertEq(told.originalTokenUnits, p.originalTokenUnits, "I27 original tokens");
        assertEq(told.tokenUnits, p.tokenUnits, "I27 tokens");
        assertEq(told.closeTokenUnits, p.closeTokenUnits, "I27 tokens asked to close");
    }

    function assertOrdersEqual(IVault.LiveOrder memory told, IVault.LiveOrder memory live) private pure {
        assertEq(told.orderHash, live.orderHash, "I27 standing order");
        assertEq(told.makerAmount, live.makerAmount, "I27 size of the order");
        assertEq(told.validUntil, live.validUntil, "I27 validity of the order");
        assertEq(uint256(told.purpose), uint256(live.purpose), "I27 purpose of the order");
    }

    function assertSharesAsFolded(address who) internal view {
        assertEq(freeShares[who], pool.balanceOf(who), "I27 shares");
        assertEq(askedShares[who], pool.redeemRequestOf(who).shares, "I27 shares in escrow");
    }

    function assertPurseAsFolded(address who) internal view {
        assertEq(uint256(purses[who]), usdc.balanceOf(who), "I6 received what the events say");
    }

    // ------------------------------------------------------------ words

    function person(bytes32 topic) private pure returns (address) {
        return address(uint160(uint256(topic)));
    }

    function first(bytes memory data) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(add(data, 0x20))
        }
    }

    function second(bytes memory data) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(add(data, 0x40))
        }
    }
}
