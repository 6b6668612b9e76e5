// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {PoolBook} from "../../src/libraries/PoolBook.sol";
import {VaultFixture} from "./VaultFixture.sol";
import {Vm} from "./Vm.sol";

/// @notice I27: the ledger as somebody knows it who sees events only. Nothing in it was read from a view; what the
/// venue moves is known from USDC's own transfers.
abstract contract CampaignLedger is VaultFixture {
    using PoolBook for PoolBook.Figures;

    /// @notice One position. Its cash is what its account holds, in USDC units.
    struct Line {
        address user;
        address account;
        uint32 outcomeId;
        IVault.PositionState state;
        bytes32 orderHash;
        uint256 orderMakerAmount;
        uint256 lent;
        uint256 principal;
        uint256 badDebt;
        uint256 tokenUnits;
        int256 cash;
    }

    mapping(bytes32 key => Line line) internal lines;
    mapping(address account => bytes32 key) internal keyOfAccount;
    mapping(uint32 outcomeId => uint256 usdcUnits) internal lentOn;
    mapping(address person => int256 usdcUnits) internal purses;
    PoolBook.Figures internal figures;
    ILiquidityPool.Parameters internal parameters;
    uint256 internal escrowedShares;
    uint256 internal lostUsdcUnits;

    // ------------------------------------------------------------ what a reader may do with an event

    function onOpened(bytes32 key, uint256 principalUsdcUnits) internal virtual {}

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
        if (to == address(exchange) && keyOfAccount[from] != 0) lines[keyOfAccount[from]].cash -= usdcUnits;
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
            figures.idle -= second(data);
            purses[person(topics[2])] += int256(second(data));
        } else if (topic == ILiquidityPool.RedeemRequested.selector) escrowedShares += first(data);
        else if (topic == ILiquidityPool.RedeemCancelled.selector) escrowedShares -= first(data);
        else if (topic == ILiquidityPool.ReserveFunded.selector) {
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
        line.principal += usdcUnits;
        line.cash += int256(usdcUnits);
    }

    function foldBooked(bytes32[] memory topics, ILiquidityPool.Booking memory b) private {
        PoolBook.Figures memory f = figures;
        figures = f.book(parameters, b);
        lentOn[uint32(uint256(topics[2]))] -= b.principalUsdcUnits + b.badDebtUsdcUnits;
        lostUsdcUnits += b.badDebtUsdcUnits;
        Line storage line = lines[topics[1]];
        line.principal -= b.principalUsdcUnits + b.badDebtUsdcUnits;
        line.badDebt = line.badDebt + b.badDebtUsdcUnits - b.recoveredUsdcUnits;
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
        if (topic == IVault.PositionCreated.selector) foldCreated(topics, data);
        else if (topic == IVault.OrderAuthorized.selector) {
            (lines[key].orderHash, lines[key].orderMakerAmount) = (topics[2], first(data));
        } else if (topic == IVault.OrderEnded.selector) lines[key].orderHash = 0;
        else if (topic == IVault.PositionOpened.selector) {
            (uint256 tokenUnits, , , uint256 principal, , uint256 refund) = abi.decode(
                data,
                (uint256, uint256, uint256, uint256, uint256, uint256)
            );
            (lines[key].state, lines[key].tokenUnits) = (IVault.PositionState.Open, tokenUnits);
            toUser(key, int256(refund));
            onOpened(key, principal);
        } else if (topic == IVault.PositionRefunded.selector) {
            lines[key].state = IVault.PositionState(first(data));
            toUser(key, int256(second(data)));
            onRefunded(key);
        } else if (topic == IVault.MarginAdded.selector) toUser(key, -int256(first(data) + second(data)));
        else if (topic == IVault.PaymentDeferred.selector) {
            toUser(key, -int256(first(data)));
            onDeferred(key, first(data));
        } else if (topic == IVault.Claimed.selector) {
            (uint256 paid, uint256 recovered, uint256 tokenUnits) = abi.decode(data, (uint256, uint256, uint256));
            if (tokenUnits != 0) lines[key].tokenUnits = 0;
            toUser(key, int256(paid));
            onClaimed(key, paid, recovered, tokenUnits);
        } else foldSale(topic, topics, data);
    }

    function foldCreated(bytes32[] memory topics, bytes memory data) private {
        (address account, uint256 originationFee, IVault.CreateRequest memory r) = abi.decode(
            data,
            (address, uint256, IVault.CreateRequest)
        );
        Line storage line = lines[topics[1]];
        line.user = person(topics[2]);
        line.account = account;
        line.outcomeId = uint32(uint256(topics[3]));
        line.state = IVault.PositionState.Pending;
        keyOfAccount[account] = topics[1];
        toUser(topics[1], -int256(r.collateralUsdcUnits + originationFee + r.venueFeeUsdcUnits));
    }

    function foldSale(bytes32 topic, bytes32[] memory topics, bytes memory data) private {
        bytes32 key = topics[1];
        IVault.Distribution memory d;
        if (topic == IVault.PositionReduced.selector) {
            uint256 sold;
            (lines[key].state, sold, lines[key].tokenUnits, d) = abi.decode(
                data,
                (IVault.PositionState, uint256, uint256, IVault.Distribution)
            );
            toUser(key, int256(d.userUsdcUnits));
            onReduced(key, IVault.Purpose(uint256(topics[3])), sold, d);
        } else if (topic == IVault.PositionSettled.selector) {
            (, d) = abi.decode(data, (uint256, IVault.Distribution));
            (lines[key].state, lines[key].tokenUnits) = (IVault.PositionState.Settled, 0);
            toUser(key, int256(d.userUsdcUnits));
            onSettled(key, d);
        } else if (topic == IVault.PositionExited.selector) {
            (, , d) = abi.decode(data, (address, uint256, IVault.Distribution));
            (lines[key].state, lines[key].tokenUnits) = (IVault.PositionState.Closed, 0);
            toUser(key, 2 * int256(d.userUsdcUnits) - int256(d.proceedsUsdcUnits));
            onExited(key, d);
        }
    }

    function toUser(bytes32 key, int256 usdcUnits) private {
        lines[key].cash -= usdcUnits;
        purses[lines[key].user] += usdcUnits;
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

    function assertLineAsFolded(
        bytes32 key,
        IVault.Position memory p,
        bytes32 orderHash,
        uint256 cash
    ) internal view {
        Line storage line = lines[key];
        assertEq(line.user, p.user, "I27 user");
        assertEq(line.outcomeId, p.outcomeId, "I27 outcome");
        assertEq(uint256(line.state), uint256(p.state), "I27 state");
        assertEq(line.principal, p.principalUsdcUnits, "I27 principal");
        assertEq(line.badDebt, p.badDebtUsdcUnits, "I27 bad debt");
        assertEq(line.tokenUnits, p.tokenUnits, "I27 tokens");
        assertEq(line.orderHash, orderHash, "I27 standing order");
        assertEq(uint256(line.cash), cash, "I6 paid in = paid out + what the account holds");
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
