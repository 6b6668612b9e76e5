// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IncomeRelease} from "../../src/libraries/IncomeRelease.sol";
import {LossFactor} from "../../src/libraries/LossFactor.sol";
import {PoolBook} from "../../src/libraries/PoolBook.sol";
import {GrantFixture} from "../fixtures/GrantFixture.sol";
import {Vm} from "../fixtures/Vm.sol";

/// @notice I27: the ledger of a reader who sees events only. Nothing in it was read from a view; what the
/// venue moves is known from USDC's own transfers, and the time of an event is that of its block.
abstract contract CampaignLedger is GrantFixture {
    using PoolBook for PoolBook.Figures;
    using IncomeRelease for IncomeRelease.Income;

    /// @notice One position and its outstanding order, every field as the events say. cash is what its account holds,
    /// lent what it ever borrowed, paidToVenue what its account paid at the venue since the last authorisation, all in
    /// USDC units. endedFill is a fill that counts once a newer order follows it; lastMakerAmount outlives its order.
    struct Line {
        IVault.Position position;
        IVault.LiveOrder order;
        IVault.LiveGrant grant;
        address account;
        uint256 lent;
        uint256 paidToVenue;
        uint256 endedFill;
        uint256 lastMakerAmount;
        bool directEnded;
        bool opened;
        int256 cash;
    }

    /// @notice Data of the event of a grant.
    struct Granted {
        uint256 mostUnits;
        uint32 markPips;
        uint32 startPips;
        uint32 limitPips;
        uint16 venueFeeBps;
        uint16 validFor;
        uint256 endsAt;
    }

    /// @notice Moves of a position: those of `positionTransitions` in packages/position, in their order.
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
    mapping(address provider => uint256 usdcUnits) private notedCaps;
    mapping(address provider => uint256 units) private scaledCaps;
    uint256 private lossFactor = LossFactor.ONE;
    mapping(address provider => uint256 time) internal maturesAt;
    mapping(bytes32 key => uint256 usdcUnits) internal impairedOn;
    mapping(Move move => uint256 times) internal moves;
    PoolBook.Figures internal figures;
    ILiquidityPool.Parameters internal parameters;
    IncomeRelease.Income internal income;
    uint256 internal impairedUsdcUnits;
    uint256 internal allShares;
    uint256 internal escrowedShares;
    uint256 internal lostUsdcUnits;
    /// @dev The position whose opening grant ended in this transaction.
    bytes32 private justEnded;

    // ------------------------------------------------------------ what a reader may do with an event

    function onOpened(
        bytes32 key,
        uint256 principalUsdcUnits,
        uint256 tradeUsdcUnits,
        uint256 spentUsdcUnits,
        uint256 minTokenUnits
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

    function onFilled(
        bytes32 key,
        IVault.LiveGrant memory g,
        uint256 usdcUnits,
        uint256 tokenUnits,
        uint256 feeUsdcUnits
    ) internal virtual {}

    function onDeferred(bytes32 key, uint256 usdcUnits) internal virtual {}

    function onClaimed(bytes32 key, uint256 usdcUnits, uint256 recovered, uint256 tokenUnits) internal virtual {}

    // ------------------------------------------------------------ folding

    function fold(Vm.Log[] memory logs) internal {
        justEnded = 0;
        for (uint256 i = 0; i < logs.length; ++i) {
            Vm.Log memory log = logs[i];
            if (log.topics.length == 0) continue;
            bytes32 topic = log.topics[0];
            if (log.emitter == address(usdc)) foldUsdc(topic, log.topics, log.data);
            else if (log.emitter == address(pool)) foldPool(topic, log.topics, log.data);
            else if (log.emitter == address(vault)) foldVault(topic, log.topics, log.data);
        }
    }

    /// @dev Mints, and what the venue and a redemption move; every other transfer is emitted by vault and pool.
    function foldUsdc(bytes32 topic, bytes32[] memory topics, bytes memory data) private {
        if (topic != keccak256("Transfer(address,address,uint256)")) return;
        (address from, address to) = (person(topics[1]), person(topics[2]));
        int256 usdcUnits = int256(first(data));
        if (from == address(0)) purses[to] += usdcUnits;
        bool redeems = from == address(tokens) || from == address(module);
        bool arrives = from == address(0) || from == address(exchange) || redeems;
        if (arrives && keyOfAccount[to] != 0) lines[keyOfAccount[to]].cash += usdcUnits;
        // Directly to the venue's maker and its receiver of fees, or through the exchange.
        bool toVenue = to == address(exchange) || to == maker || to == feeReceiver;
        if (!toVenue || keyOfAccount[from] == 0) return;
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
            foldRedeemed(person(topics[1]), person(topics[2]), data);
        } else if (topic == ILiquidityPool.RedeemRequested.selector) {
            address asker = person(topics[1]);
            (uint256 shares, uint256 cap, uint256 time) = abi.decode(data, (uint256, uint256, uint256));
            escrowedShares += shares;
            askedShares[asker] += shares;
            notedCaps[asker] = askedCap(asker) + cap;
            maturesAt[asker] = time;
        } else if (topic == ILiquidityPool.RedeemCapped.selector) {
            foldCapped(person(topics[1]), first(data), second(data));
        } else if (topic == ILiquidityPool.LossFactorChanged.selector) {
            lossFactor = first(data);
        } else if (topic == ILiquidityPool.Impaired.selector) {
            setImpaired(topics[1], first(data));
        } else if (topic == keccak256("Transfer(address,address,uint256)")) {
            if (topics[1] != 0) freeShares[person(topics[1])] -= first(data);
            else allShares += first(data);
            if (topics[2] != 0) freeShares[person(topics[2])] += first(data);
            else allShares -= first(data);
        } else if (topic == ILiquidityPool.ReserveFunded.selector) {
            figures.reserve += first(data);
            if (person(topics[1]) != address(pool)) purses[person(topics[1])] -= int256(first(data));
            else (figures.idle, income) = (0, IncomeRelease.Income(0, 0, 0));
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
        uint256 earned;
        (figures, earned) = f.book(parameters, b);
        earn(earned);
        uint256 impaired = impairedOn[topics[1]];
        uint256 ended = b.principalUsdcUnits + b.badDebtUsdcUnits;
        setImpaired(topics[1], impaired > ended ? impaired - ended : 0);
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

    /// @dev Asking again never raises what was asked for before.
    function foldCapped(address provider, uint256 capUsdcUnits, uint256 scaledUnits) private {
        assertLe(capUsdcUnits, notedCaps[provider], "W4 the old cap and the worth of the new shares at most");
        notedCaps[provider] = capUsdcUnits;
        scaledCaps[provider] = scaledUnits;
    }

    /// @dev The cap of a request after all losses since its askings, in USDC units, floor.
    function askedCap(address provider) internal view returns (uint256 usdcUnits) {
        usdcUnits = LossFactor.unscale(scaledCaps[provider], lossFactor);
        return usdcUnits < notedCaps[provider] ? usdcUnits : notedCaps[provider];
    }

    /// @dev Shares leave with their part of the cap; what they were worth beyond it is income of the others.
    function foldRedeemed(address provider, address receiver, bytes memory data) private {
        (uint256 shares, uint256 paid, uint256 left) = abi.decode(data, (uint256, uint256, uint256));
        uint256 asked = askedShares[provider];
        notedCaps[provider] = (askedCap(provider) * (asked - shares)) / asked;
        scaledCaps[provider] = (scaledCaps[provider] * (asked - shares) + asked - 1) / asked;
        askedShares[provider] = asked - shares;
        escrowedShares -= shares;
        figures.idle -= paid;
        purses[receiver] += int256(paid);
        earn(left);
    }

    function earn(uint256 usdcUnits) private {
        IncomeRelease.Income memory earlier = income;
        if (usdcUnits != 0) income = earlier.add(usdcUnits, block.timestamp);
    }

    function setImpaired(bytes32 key, uint256 usdcUnits) private {
        impairedUsdcUnits = impairedUsdcUnits + usdcUnits - impairedOn[key];
        impairedOn[key] = usdcUnits;
    }

    function foldVault(bytes32 topic, bytes32[] memory topics, bytes memory data) private {
        if (topics.length < 2) return;
        bytes32 key = topics[1];
        IVault.Position storage p = lines[key].position;
        if (topic == IVault.PositionCreated.selector) foldCreated(topics, data);
        else if (topic == IVault.OrderAuthorized.selector) foldAuthorized(topics, data);
        else if (topic == IVault.OrderEnded.selector) {
            delete lines[key].order;
            (lines[key].endedFill, lines[key].directEnded) = (first(data), true);
        } else if (topic == IVault.PositionOpened.selector) foldOpened(key, data);
        else if (topic == IVault.PositionRefunded.selector) {
            uncountFill(key);
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
        } else if (topic == IVault.PaymentDeferred.selector) {
            toUser(key, -int256(first(data)));
            onDeferred(key, first(data));
        } else if (topic == IVault.Claimed.selector) {
            (uint256 paid, uint256 recovered, uint256 tokenUnits) = abi.decode(data, (uint256, uint256, uint256));
            if (tokenUnits != 0) p.tokenUnits = 0;
            toUser(key, int256(paid));
            onClaimed(key, paid, recovered, tokenUnits);
        } else if (!foldGrant(topic, topics, data)) foldEnding(topic, topics, data);
    }

    function foldGrant(bytes32 topic, bytes32[] memory topics, bytes memory data) private returns (bool folded) {
        Line storage line = lines[topics[1]];
        if (topic == IVault.GrantAuthorized.selector) {
            foldGranted(line, IVault.Purpose(uint256(topics[2])), data);
        } else if (topic == IVault.GrantFilled.selector) {
            foldFilled(topics[1], person(topics[2]), data);
        } else if (topic == IVault.GrantEnded.selector) {
            assertEq(first(data), line.grant.filledUnits, "I27 filled at the end of a grant");
            if (line.grant.purpose == IVault.Purpose.Open) {
                line.position.filledUsdcUnits += line.grant.filledUnits;
                (justEnded, line.endedFill) = (topics[1], line.grant.filledUnits);
            }
            delete line.order;
            delete line.grant;
        } else {
            return false;
        }
        return true;
    }

    /// @dev A grant that ends without its opening counts at once; its opening or refund counts the fill itself.
    function uncountFill(bytes32 key) private {
        if (justEnded != key) return;
        lines[key].position.filledUsdcUnits -= uint64(lines[key].endedFill);
    }

    function foldGranted(Line storage line, IVault.Purpose purpose, bytes memory data) private {
        Granted memory g = abi.decode(data, (Granted));
        countDirect(line, purpose);
        line.order = IVault.LiveOrder(0, uint64(g.mostUnits), uint40(g.endsAt), purpose);
        line.grant = IVault.LiveGrant({
            purpose: purpose,
            mostUnits: uint64(g.mostUnits),
            filledUnits: 0,
            startsAt: uint40(block.timestamp),
            validFor: g.validFor,
            endsAt: uint40(g.endsAt),
            startPips: g.startPips,
            limitPips: g.limitPips,
            venueFeeBps: g.venueFeeBps,
            markPips: g.markPips
        });
        (line.lastMakerAmount, line.endedFill, line.paidToVenue) = (g.mostUnits, 0, 0);
    }

    /// @dev A fill of an order of the exchange counts when another opening order follows.
    function countDirect(Line storage line, IVault.Purpose purpose) private {
        if (purpose == IVault.Purpose.Open && line.directEnded) line.position.filledUsdcUnits += uint64(line.endedFill);
        line.directEnded = false;
    }

    function foldFilled(bytes32 key, address who, bytes memory data) private {
        (uint256 usdcUnits, uint256 tokenUnits, uint256 feeUnits) = abi.decode(data, (uint256, uint256, uint256));
        Line storage line = lines[key];
        bool buys = line.grant.purpose == IVault.Purpose.Open;
        line.grant.filledUnits += uint64(buys ? usdcUnits - feeUnits : tokenUnits);
        int256 paid = buys ? int256(usdcUnits) : -int256(usdcUnits);
        line.cash -= paid;
        purses[who] += paid;
        onFilled(key, line.grant, usdcUnits, tokenUnits, feeUnits);
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
        p.createdAt = uint40(block.timestamp);
        p.collateralUsdcUnits = uint64(r.collateralUsdcUnits);
        p.notionalUsdcUnits = uint64(r.notionalUsdcUnits);
        p.venueFeeUsdcUnits = uint64(r.venueFeeUsdcUnits);
        p.minPositionTokenUnits = uint64(r.minPositionTokenUnits);
        lines[key].account = account;
        keyOfAccount[account] = key;
        toUser(key, -int256(r.collateralUsdcUnits + originationFee + r.venueFeeUsdcUnits));
    }

    /// @dev A fill of an opening order is counted by the position when a newer order follows; the last one never is.
    function foldAuthorized(bytes32[] memory topics, bytes memory data) private {
        Line storage line = lines[topics[1]];
        (uint256 makerAmount, , uint256 validUntil) = abi.decode(data, (uint256, uint256, uint256));
        IVault.Purpose purpose = IVault.Purpose(uint256(topics[3]));
        countDirect(line, purpose);
        line.order = IVault.LiveOrder(topics[2], uint64(makerAmount), uint40(validUntil), purpose);
        (line.lastMakerAmount, line.endedFill, line.paidToVenue) = (makerAmount, 0, 0);
    }

    function foldOpened(bytes32 key, bytes memory data) private {
        (
            uint256 tokenUnits,
            uint256 trade,
            uint256 spent,
            uint256 principal,
            ,
            uint256 refund,
            uint16 exitBufferBps
        ) = abi.decode(data, (uint256, uint256, uint256, uint256, uint256, uint256, uint16));
        IVault.Position storage p = lines[key].position;
        uncountFill(key);
        moved(key, Move.FinalizeOpened, IVault.PositionState.Open);
        (p.tokenUnits, p.originalTokenUnits) = (uint64(tokenUnits), uint64(tokenUnits));
        (p.since, p.exitBufferBps) = (uint40(block.timestamp), exitBufferBps);
        lines[key].opened = true;
        toUser(key, int256(refund));
        onOpened(key, principal, trade, spent, p.minPositionTokenUnits);
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
            if (liquidates) p.pendingFeeUsdcUnits += uint64(unpaidFee(p.liquidationFeeBps, d));
            foldCloseRequest(p, asked < left ? asked : left, p.closeMinPricePips);
        }
        p.tokenUnits = uint64(left);
        toUser(key, int256(d.userUsdcUnits));
        onReduced(key, purpose, sold, d);
    }

    /// @dev V8: what a liquidation of a part could not pay of its fee, ceil on all that it repaid.
    function unpaidFee(uint256 feeBps, IVault.Distribution memory d) internal pure returns (uint256) {
        uint256 repaid = d.principalUsdcUnits + d.recoveredUsdcUnits;
        return (repaid * feeBps + 9_999) / 10_000 - d.liquidationFeeUsdcUnits;
    }

    function foldCloseRequest(IVault.Position storage p, uint256 tokenUnits, uint16 minPricePips) private {
        p.closeTokenUnits = uint64(tokenUnits);
        p.closeMinPricePips = tokenUnits == 0 ? 0 : minPricePips;
    }

    function foldFinished(IVault.Position storage p) private {
        (p.tokenUnits, p.pendingFeeUsdcUnits, p.since) = (0, 0, uint40(block.timestamp));
        foldCloseRequest(p, 0, 0);
    }

    /// @dev Fees due until now, less what was paid of them. An event that books comes before the pool's booking.
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
