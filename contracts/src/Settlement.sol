// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ILiquidityPool} from "./interfaces/ILiquidityPool.sol";
import {IPositionAccount} from "./interfaces/IPositionAccount.sol";
import {IVault} from "./interfaces/IVault.sol";
import {OutcomeLedger} from "./libraries/OutcomeLedger.sol";
import {OpeningSplit} from "./libraries/OpeningSplit.sol";
import {OrderStatus} from "./libraries/OrderStatus.sol";
import {PositionAccounts} from "./libraries/PositionAccounts.sol";
import {PositionMath} from "./libraries/PositionMath.sol";
import {UnitMath} from "./libraries/UnitMath.sol";
import {Waterfall} from "./libraries/Waterfall.sol";
import {FillRoute} from "./FillRoute.sol";
import {PositionContext} from "./PositionContext.sol";
import {StoredOutcome} from "./StoredOutcome.sol";
import {StoredPosition} from "./StoredPosition.sol";
import {BPS, DUST_TOKEN_UNITS} from "./VaultConstants.sol";

/// @title Settlement
/// @notice All that ends an order, measures what an account holds, and pays. A linked library of the vault: it runs in
/// the vault's storage and under the vault's lock; who may call, and when, the vault has decided before.
/// @dev A verb reads in the vault's order: accrue, convert, state, event, transfer.
library Settlement {
    using SafeERC20 for IERC20;
    using UnitMath for uint256;
    using PositionMath for StoredPosition;

    // ---------------------------------------------------------------- verbs

    /// @notice Ends the order of a position that is Pending or has one, measures and pays.
    function finalize(
        StoredPosition storage position,
        StoredOutcome storage outcome,
        PositionContext calldata c
    ) external {
        _finalize(position, outcome, c);
    }

    /// @notice Before a new order: a fill of the old one is counted while Pending, booked while Open.
    function endPreviousOrder(
        StoredPosition storage position,
        StoredOutcome storage outcome,
        PositionContext calldata c
    ) external {
        if (position.state == IVault.PositionState.Open) {
            _bookSale(position, outcome, c);
            return;
        }
        uint256 filled = _endOrder(position, c);
        if (filled != 0) position.filledUsdcUnits += uint48(filled);
    }

    /// @notice Begins a grant of a checked batch. Its previous order ends first, in the same call: where the grant is
    /// refused, that order stands as before.
    function beginMember(
        StoredPosition storage position,
        StoredOutcome storage outcome,
        PositionContext calldata c,
        uint256 mostUnits,
        IVault.GrantAttestation calldata a
    ) external {
        if (position.state == IVault.PositionState.Open && position.orderPurpose != IVault.Purpose.None) {
            _bookSale(position, outcome, c);
        }
        if (position.state != IVault.PositionState.Open) revert IVault.WrongState(position.state);
        FillRoute.note(position, outcome, c, mostUnits, a);
    }

    /// @notice IVault.fill of a live grant, with its end where little or nothing is left.
    /// @return givenUnits what the caller gave
    /// @return takenUnits what the caller took
    function fill(
        StoredPosition storage position,
        StoredOutcome storage outcome,
        PositionContext calldata c,
        uint256 giveUnits,
        uint256 takeUnits,
        bytes calldata data
    ) external returns (uint256 givenUnits, uint256 takenUnits) {
        bool isDone;
        (givenUnits, takenUnits, isDone) = FillRoute.fill(position, outcome, c, giveUnits, takeUnits, data);
        if (isDone) _finalize(position, outcome, c);
    }

    /// @notice IVault.addMargin of an Open position, for its owner.
    function addMargin(
        StoredPosition storage position,
        StoredOutcome storage outcome,
        PositionContext calldata c,
        uint256 usdcUnits
    ) external returns (uint256 paidUsdcUnits) {
        // A loan repaid between the fill of a liquidation and its booking would save the liquidation fee.
        if (position.orderPurpose == IVault.Purpose.Liquidate) {
            bool isUnsold = FillRoute.isGrant(position)
                ? position.grant.filledUnits == 0
                : OutcomeLedger.heldTokenUnits(outcome.tokenId, c) >= position.tokenUnits;
            if (!isUnsold) revert IVault.SaleNotBooked();
        }
        uint256 fees = position.lifetimeFees();
        uint256 principal = position.principalUsdcUnits;
        IVault.Distribution memory d;
        // Fees that were left alone would cost nothing, and would be forgone at a loss.
        d.lifetimeFeeUsdcUnits = usdcUnits.min(fees);
        d.principalUsdcUnits = (usdcUnits - d.lifetimeFeeUsdcUnits).min(principal);
        paidUsdcUnits = d.lifetimeFeeUsdcUnits + d.principalUsdcUnits;
        if (paidUsdcUnits == 0) revert IVault.NothingOwed();

        position.principalUsdcUnits = uint48(principal - d.principalUsdcUnits);
        position.pendingFeeUsdcUnits = (fees - d.lifetimeFeeUsdcUnits).toUsdc();
        position.since = uint32(block.timestamp);
        emit IVault.MarginAdded(
            c.positionKey,
            msg.sender,
            d.principalUsdcUnits,
            d.lifetimeFeeUsdcUnits
        );
        IERC20(c.usdc).safeTransferFrom(msg.sender, c.pool, paidUsdcUnits);
        _book(position, c, d, 0);
    }

    /// @notice IVault.exitByRepaying of an Open position without a live order, for its owner.
    function exitByRepaying(
        StoredPosition storage position,
        StoredOutcome storage outcome,
        PositionContext calldata c,
        address to
    ) external {
        if (position.orderPurpose != IVault.Purpose.None) _bookSale(position, outcome, c);
        if (position.state != IVault.PositionState.Open) return;

        uint256 tokenUnits = OutcomeLedger.heldTokenUnits(outcome.tokenId, c);
        uint256 owedUsdcUnits = position.principal() + position.lifetimeFees();
        IVault.Distribution memory d = _distribute(position, owedUsdcUnits, 1, 1, 0, true);
        d.userUsdcUnits = IERC20(c.usdc).balanceOf(c.account);
        d.proceedsUsdcUnits += d.userUsdcUnits;
        position.state = IVault.PositionState.Closed;
        position.tokenUnits = 0;
        position.setCloseRequest(0, 0);

        emit IVault.PositionExited(c.positionKey, msg.sender, to, tokenUnits, d);
        if (owedUsdcUnits != 0) {
            IERC20(c.usdc).safeTransferFrom(msg.sender, c.pool, owedUsdcUnits);
            _book(position, c, d, 0);
        }
        _send(position, c, 0, d.userUsdcUnits);
        uint256 tokenId = outcome.tokenId;
        IPositionAccount(c.account).sendTokens(OutcomeLedger.tokensOf(tokenId, c), to, tokenId, tokenUnits);
    }

    /// @notice IVault.settle.
    /// @param indexSet of the outcome: 1 for the condition's first, 2 for its second
    function settle(
        StoredPosition storage position,
        StoredOutcome storage outcome,
        PositionContext calldata c,
        uint256 indexSet
    ) external {
        IVault.PositionState state = position.state;
        if (state != IVault.PositionState.Pending && state != IVault.PositionState.Open) {
            revert IVault.WrongState(state);
        }
        (bool isDecided, uint256 share) = OutcomeLedger.resultOf(outcome, c, indexSet);
        if (!isDecided) revert IVault.NotResolved();
        if (state == IVault.PositionState.Pending || position.orderPurpose != IVault.Purpose.None) {
            _finalize(position, outcome, c);
        }
        if (position.state != IVault.PositionState.Open) return;

        uint256 tokenUnits = position.tokenUnits;
        // A decided loss needs nothing of a redeemer, which may be paused.
        if (share != 0) _redeem(outcome, c, indexSet);
        IVault.Distribution memory d = _distribute(position, IERC20(c.usdc).balanceOf(c.account), 1, 1, 0, true);
        position.state = IVault.PositionState.Settled;
        position.tokenUnits = 0;
        position.setCloseRequest(0, 0);

        emit IVault.PositionSettled(c.positionKey, position.user, tokenUnits, d);
        _pay(position, c, d);
    }

    /// @notice IVault.claim of a position that has ended.
    /// @dev It pays, sends tokens, and only then empties tokenUnits and emits, since only the transfer shows whether
    /// the owner takes them: bad debt is lowered before anything leaves, the amounts are the account's balances, and
    /// no verb reads tokenUnits of a position that has ended; a receiver who looks meanwhile sees the old figure in
    /// positionOf and healthOf alone.
    function claim(
        StoredPosition storage position,
        StoredOutcome storage outcome,
        PositionContext calldata c
    ) external {
        address user = position.user;
        uint256 tokenId = outcome.tokenId;
        uint256 cash = IERC20(c.usdc).balanceOf(c.account);
        uint256 badDebt = position.badDebtUsdcUnits;
        // A ledger that does not answer keeps no USDC here: for any other caller it is not asked.
        uint256 tokenUnits = msg.sender == user && cash >= badDebt ? OutcomeLedger.heldTokenUnits(tokenId, c) : 0;
        bool transfersTokens = tokenUnits != 0;
        if (cash == 0 && !transfersTokens) revert IVault.NothingToClaim();

        IVault.Distribution memory d;
        d.recoveredUsdcUnits = cash.min(badDebt);
        d.userUsdcUnits = cash - d.recoveredUsdcUnits;
        position.badDebtUsdcUnits = uint48(badDebt - d.recoveredUsdcUnits);

        _pay(position, c, d);
        if (transfersTokens) {
            address tokens = OutcomeLedger.tokensOf(tokenId, c);
            transfersTokens = IPositionAccount(c.account).trySendTokens(tokens, user, tokenId, tokenUnits);
        }
        if (transfersTokens) position.tokenUnits = 0;
        emit IVault.Claimed(
            c.positionKey,
            user,
            d.userUsdcUnits,
            d.recoveredUsdcUnits,
            transfersTokens ? tokenUnits : 0
        );
    }

    // ---------------------------------------------------------------- openings

    function _finalize(
        StoredPosition storage position,
        StoredOutcome storage outcome,
        PositionContext calldata c
    ) private {
        if (position.state == IVault.PositionState.Pending) _finishOpening(position, outcome, c);
        else _bookSale(position, outcome, c);
    }

    /// @dev Ends an opening by what the account holds: tokens open the position, none refunds it.
    function _finishOpening(
        StoredPosition storage position,
        StoredOutcome storage outcome,
        PositionContext calldata c
    ) private {
        uint256 tokenUnits;
        bool hasAccount = position.principalUsdcUnits != 0;
        uint256 filled = _endOrder(position, c) + position.filledUsdcUnits;
        if (!hasAccount) PositionAccounts.deploy(IVault(address(this)).accountImplementation(), c.positionKey);
        // Fills of grants are known, and an account at the PositionManager has no others: unfilled, it is not asked.
        else if (filled != 0 || !OutcomeLedger.isManaged(outcome.tokenId)) {
            tokenUnits = OutcomeLedger.heldTokenUnits(outcome.tokenId, c);
        }
        uint256 cash = IERC20(c.usdc).balanceOf(c.account);
        if (tokenUnits < DUST_TOKEN_UNITS) return _refund(position, c, cash);
        OpeningSplit.Opening memory opening = position.openingOf();
        opening.cashUsdcUnits = cash;
        opening.filledUsdcUnits = filled;
        OpeningSplit.Split memory s = OpeningSplit.split(opening);
        // Tokens that cost nothing were given to the account, before it had code or at the PositionManager: they open
        // nothing.
        if (s.spentUsdcUnits == 0) return _refund(position, c, cash);
        _open(position, c, s, tokenUnits);
    }

    /// @dev The fill becomes a position; what it did not use goes back to pool and user.
    function _open(
        StoredPosition storage position,
        PositionContext calldata c,
        OpeningSplit.Split memory s,
        uint256 tokenUnits
    ) private {
        position.state = IVault.PositionState.Open;
        position.principalUsdcUnits = uint48(s.principalUsdcUnits);
        position.since = uint32(block.timestamp);
        uint48 held = tokenUnits.toTokens();
        position.tokenUnits = held;
        position.originalTokenUnits = held;

        emit IVault.PositionOpened(
            c.positionKey,
            position.user,
            tokenUnits,
            s.tradeUsdcUnits,
            s.spentUsdcUnits,
            s.principalUsdcUnits,
            s.originationFeeUsdcUnits,
            s.userUsdcUnits,
            position.exitBufferBps
        );
        IVault.Distribution memory d;
        d.principalUsdcUnits = s.poolUsdcUnits;
        _send(position, c, s.poolUsdcUnits + s.originationFeeUsdcUnits, s.userUsdcUnits);
        _book(position, c, d, s.originationFeeUsdcUnits);
    }

    /// @dev Nothing was bought: the pool takes its loan back first, the user everything else.
    function _refund(StoredPosition storage position, PositionContext calldata c, uint256 cash) private {
        uint256 lent = position.principalUsdcUnits;
        IVault.Distribution memory d;
        d.principalUsdcUnits = cash.min(lent);
        d.badDebtUsdcUnits = lent - d.principalUsdcUnits;
        d.userUsdcUnits = cash - d.principalUsdcUnits;
        position.state = position.cancelRequested ? IVault.PositionState.Cancelled : IVault.PositionState.Reverted;
        position.principalUsdcUnits = 0;
        position.badDebtUsdcUnits = uint48(d.badDebtUsdcUnits);

        emit IVault.PositionRefunded(
            c.positionKey,
            position.user,
            position.state,
            d.userUsdcUnits,
            d.badDebtUsdcUnits
        );
        _pay(position, c, d);
    }

    // ---------------------------------------------------------------- orders and sales

    /// @dev The only place an order ends, whatever its route: its fill is read once, and no allowance is left. Nothing
    /// else here knows by which route it was filled.
    function _endOrder(
        StoredPosition storage position,
        PositionContext calldata c
    ) private returns (uint256 filledMakerAmount) {
        IVault.Purpose purpose = position.orderPurpose;
        if (purpose == IVault.Purpose.None) return 0;
        bytes32 orderHash = position.orderHash;
        bool isGrant = orderHash == FillRoute.NO_HASH;
        if (isGrant) {
            filledMakerAmount = position.grant.filledUnits;
        } else {
            // Inside a match the account has given and has not received yet, and a maker with code runs just then:
            // while an order is outstanding, only the sender of a transaction measures it. A fill of a grant is whole
            // under the vault's lock.
            // solhint-disable-next-line avoid-tx-origin
            if (msg.sender != tx.origin) revert IVault.InsideCall();
            filledMakerAmount = OrderStatus.filledOf(c.exchange, orderHash, position.orderMakerAmount);
        }

        position.orderPurpose = IVault.Purpose.None;
        if (isGrant) {
            emit IVault.GrantEnded(c.positionKey, purpose, filledMakerAmount);
            return filledMakerAmount;
        }
        emit IVault.OrderEnded(c.positionKey, orderHash, purpose, filledMakerAmount);
        if (purpose == IVault.Purpose.Open) IPositionAccount(c.account).allowUsdc(0);
        else IPositionAccount(c.account).allowTokens(false);
    }

    /// @dev Turns all tokens of an outcome that pays into USDC held by the account.
    function _redeem(StoredOutcome storage outcome, PositionContext calldata c, uint256 indexSet) private {
        uint256 tokenId = outcome.tokenId;
        address tokens = OutcomeLedger.tokensOf(tokenId, c);
        uint256 tokenUnits = tokens == c.conditionalTokens ? 0 : OutcomeLedger.heldTokenUnits(tokenId, c);
        IPositionAccount(c.account).redeem(tokens, outcome.conditionId, indexSet, tokenUnits);
    }

    /// @dev Ends a sale order by what the account holds: tokens gone are sold, all USDC here are proceeds.
    function _bookSale(
        StoredPosition storage position,
        StoredOutcome storage outcome,
        PositionContext calldata c
    ) private {
        IVault.Purpose purpose = position.orderPurpose;
        uint256 filled = _endOrder(position, c);
        uint256 cash = IERC20(c.usdc).balanceOf(c.account);
        uint256 held = position.tokenUnits;
        // A donation at the PositionManager hides no sale by a grant, whose fills are known to the unit.
        uint256 maximum = FillRoute.isGrant(position) ? held - filled : held;
        uint256 left = OutcomeLedger.heldTokenUnits(outcome.tokenId, c).min(maximum);
        uint256 sold = held - left;
        if (sold == 0 && cash == 0) return;
        bool finished = left < DUST_TOKEN_UNITS;
        bool part = purpose == IVault.Purpose.Close && !finished;
        uint256 feeBps = purpose == IVault.Purpose.Liquidate ? position.liquidationFeeBps : 0;
        IVault.Distribution memory d = _distribute(
            position,
            cash,
            part ? sold : 1,
            part ? held : 1,
            feeBps,
            finished
        );

        position.tokenUnits = uint48(left);
        uint256 asked = position.closeTokenUnits;
        if (asked != 0) {
            if (purpose == IVault.Purpose.Close) asked = asked.subtractOrZero(sold);
            position.setCloseRequest(finished ? 0 : asked.min(left), position.closeMinPricePips);
        }
        if (finished) {
            position.state = purpose == IVault.Purpose.Liquidate
                ? IVault.PositionState.Liquidated
                : IVault.PositionState.Closed;
        }
        emit IVault.PositionReduced(c.positionKey, position.user, purpose, position.state, sold, left, d);
        _pay(position, c, d);
    }

    // ---------------------------------------------------------------- money

    /// @dev Accrues, divides cash by the waterfall and lowers the debt. sold / held is the share of the debt that is
    /// due; when the position is finished, what is left of the principal becomes bad debt and unpaid fees are forgone.
    /// What a liquidation of a part cannot pay of its fee stays owed as a pending fee: parts are no way around it.
    function _distribute(
        StoredPosition storage position,
        uint256 cash,
        uint256 sold,
        uint256 held,
        uint256 liquidationFeeBps,
        bool finished
    ) private returns (IVault.Distribution memory d) {
        uint256 fees = position.lifetimeFees();
        uint256 principal = position.principalUsdcUnits;
        Waterfall.Distribution memory w = Waterfall.distribute(
            Waterfall.Due({
                cashUsdcUnits: cash,
                principalUsdcUnits: UnitMath.multiplyDivideUp(principal, sold, held),
                lifetimeFeeUsdcUnits: UnitMath.multiplyDivideUp(fees, sold, held),
                liquidationFeeBps: liquidationFeeBps
            })
        );
        d.proceedsUsdcUnits = cash;
        d.principalUsdcUnits = w.principalUsdcUnits;
        d.lifetimeFeeUsdcUnits = w.lifetimeFeeUsdcUnits;
        d.liquidationFeeUsdcUnits = w.liquidationFeeUsdcUnits;
        d.userUsdcUnits = w.userUsdcUnits;

        uint256 left = principal - d.principalUsdcUnits;
        if (finished) {
            d.badDebtUsdcUnits = left;
            position.badDebtUsdcUnits = uint48(left);
            position.principalUsdcUnits = 0;
            position.pendingFeeUsdcUnits = 0;
        } else {
            position.principalUsdcUnits = uint48(left);
            fees += UnitMath.multiplyDivideUp(w.principalUsdcUnits, liquidationFeeBps, BPS) - d.liquidationFeeUsdcUnits;
            position.pendingFeeUsdcUnits = (fees - d.lifetimeFeeUsdcUnits).toUsdc();
        }
        position.since = uint32(block.timestamp);
    }

    /// @dev Pays pool and user from the account what a distribution says.
    function _pay(StoredPosition storage position, PositionContext calldata c, IVault.Distribution memory d) private {
        uint256 poolUsdcUnits = d.principalUsdcUnits +
            d.lifetimeFeeUsdcUnits +
            d.liquidationFeeUsdcUnits +
            d.recoveredUsdcUnits;
        _send(position, c, poolUsdcUnits, d.userUsdcUnits);
        if (poolUsdcUnits + d.badDebtUsdcUnits != 0) _book(position, c, d, 0);
    }

    /// @dev A user who cannot receive keeps the money in the account: no other payment waits for it.
    function _send(
        StoredPosition storage position,
        PositionContext calldata c,
        uint256 poolUsdcUnits,
        uint256 userUsdcUnits
    ) private {
        if (poolUsdcUnits + userUsdcUnits == 0) return;
        address user = position.user;
        if (!IPositionAccount(c.account).sendUsdc(c.pool, poolUsdcUnits, user, userUsdcUnits)) {
            emit IVault.PaymentDeferred(c.positionKey, user, userUsdcUnits);
        }
    }

    /// @dev Books in the pool what has arrived there, and what never will.
    function _book(
        StoredPosition storage position,
        PositionContext calldata c,
        IVault.Distribution memory d,
        uint256 originationFeeUsdcUnits
    ) private {
        if (d.badDebtUsdcUnits != 0) emit IVault.BadDebtBooked(c.positionKey, d.badDebtUsdcUnits);
        ILiquidityPool(c.pool).book(
            c.positionKey,
            position.outcomeId,
            ILiquidityPool.Booking({
                principalUsdcUnits: d.principalUsdcUnits,
                lifetimeFeeUsdcUnits: d.lifetimeFeeUsdcUnits,
                liquidationFeeUsdcUnits: d.liquidationFeeUsdcUnits,
                originationFeeUsdcUnits: originationFeeUsdcUnits,
                recoveredUsdcUnits: d.recoveredUsdcUnits,
                badDebtUsdcUnits: d.badDebtUsdcUnits
            })
        );
    }
}
