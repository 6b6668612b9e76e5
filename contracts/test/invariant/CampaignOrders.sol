// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {CampaignWatch} from "./CampaignWatch.sol";

/// @notice Creation of a position, and authorisation, measurement and end of its orders. Calls that must
/// never fail are judged; those whose checks may refuse are tried.
abstract contract CampaignOrders is CampaignWatch {
    mapping(bytes32 key => IVenueExchange.Order order) internal orders;
    IVenueExchange.Order[] internal stale;

    // ------------------------------------------------------------ opening

    function createPosition(uint256 seed, uint256 collateral, uint256 leverage, uint256 fees) public watched {
        if (keys.length >= MAX_POSITIONS) return;
        uint256 side = seed % sides.length;
        if (markets[sides[side].market].resolved && fees % 4 != 0) return;
        collateral = bound(collateral, 1e6, 5_000e6) / 4 * 4;
        uint32 leverageBps = uint32(bound(leverage, 6, 40) * 2_500);
        IVault.CreateRequest memory r = quoteFor(side, collateral, leverageBps);
        r.originationFeeBps = uint16(fees % 501);
        r.lifetimeFeeAprBps = uint16((fees >> 16) % 2_001);
        r.liquidationFeeBps = uint16((fees >> 32) % 1_001);
        r.venueFeeUsdcUnits = (r.notionalUsdcUnits * ((fees >> 48) % 1_001)) / 10_000;
        r.minFillBps = fees % 2 == 0 ? 2_000 : 10_000;
        limit(r, fees >> 64);
        promote(r, side, users[(seed >> 8) % users.length]);
    }

    /// @dev A third sets a highest price per token, a third a highest liquidation price, some of them above a dollar.
    function limit(IVault.CreateRequest memory r, uint256 seed) private pure {
        uint256 pricePips = bound(seed >> 8, 4_000, 9_999);
        if (seed % 3 == 0) r.minPositionTokenUnits = (r.notionalUsdcUnits * 10_000) / pricePips;
        if ((seed >> 4) % 3 == 0) r.maxLiquidationPricePips = uint32(bound(seed >> 32, 2_500, 11_000));
    }

    /// @dev I9: what once opened under a seed is all that ever does, for whatever quote; the last four bytes of a seed
    /// are no part of it.
    function replaySeed(uint256 seed, uint256 collateral, uint256 tail) public watched {
        bytes32 key = pick(seed);
        if (key == 0 || vault.openingPaused()) return;
        uint256 side = (seed >> 16) % sides.length;
        IVault.CreateRequest memory r = quoteFor(side, bound(collateral, 1e6, 5_000e6) / 4 * 4, 20_000);
        r.positionSeed = seedOf(seed % keys.length) | bytes16(uint128(uint32(tail)));
        bytes memory signature = signed(quoteKey, quoteDigest(r, deals[key].user));
        (bool done, ) = attempt(
            deals[key].user,
            address(vault),
            abi.encodeCall(IVault.createPosition, (r, signature))
        );
        assertRefusedWith(done, abi.encodeWithSelector(IVault.SeedUsed.selector, key), "I9 a seed opens once");
        did(Deed.SeedReplayed);
    }

    function promote(IVault.CreateRequest memory r, uint256 side, address user) private {
        actor = user;
        bytes32 key = vault.positionKeyOf(user, r.positionSeed);
        bytes memory signature = signed(quoteKey, quoteDigest(r, user));
        (bool done, bytes4 reason) = attempt(
            user,
            address(vault),
            abi.encodeCall(IVault.createPosition, (r, signature))
        );
        if (vault.openingPaused()) {
            assertRefused(done, reason, IVault.OpeningIsPaused.selector, "I21 no opening while paused");
            return did(Deed.RefusedWhilePaused);
        }
        assertDoneUnlessBlacklisted(done, reason, user, "a quoted position is created");
        if (!done) return;
        keys.push(key);
        deals[key] = Deal(user, vault.accountOf(key), side);
        touch(key);
        did(Deed.Created);
    }

    function authorizeOpening(uint256 seed, uint256 price, uint256 part) public watched {
        bytes32 key = pick(seed);
        if (!isPending(key)) return;
        uint32 pricePips = uint32(bound(price, 500, 9_500));
        IVault.Position memory p = vault.positionOf(key);
        uint256 maximum = p.notionalUsdcUnits - p.filledUsdcUnits;
        if (maximum == 0) return;
        uint256 gives = p.minFillBps == 10_000 ? maximum : bound(part, (maximum + 3) / 4, maximum);
        IVenueExchange.Order memory o = orderFor(key, 0, gives, (gives * 10_000 + pricePips - 1) / pricePips);
        IVault.PriceAttestation memory a = attestationFor(key, IVault.Purpose.Open, pricePips, 0);
        if (isRefusedByLedger(key, o, a)) return;
        bytes4 expected = whyNotOpened(key, p, o, pricePips);
        (bool done, bytes4 reason) = authorizeOf(key, o, a);
        if (expected != 0) assertRefused(done, reason, expected, "an opening is refused for what is wrong with it");
        if (!done) return judgeRefusedOpening(p, reason, expected);
        if (pricePips > marks[key]) marks[key] = pricePips;
        if (vault.positionOf(key).filledUsdcUnits != 0) did(Deed.OpeningContinued);
        did(Deed.OpeningAuthorized);
    }

    /// @dev Return true for an outcome of the second ledger, which takes no order of the exchange.
    function isRefusedByLedger(
        bytes32 key,
        IVenueExchange.Order memory o,
        IVault.PriceAttestation memory a
    ) private returns (bool) {
        if (!marketOf(key).isManaged) return false;
        (bool done, bytes4 reason) = authorizeOf(key, o, a);
        bool isPaused = vault.openingPaused() && a.purpose == uint8(IVault.Purpose.Open);
        bytes4 expected = isPaused ? IVault.OpeningIsPaused.selector : IVault.GrantRequired.selector;
        // Booking the order before it may end the position.
        if (reason != IVault.WrongState.selector) assertRefused(done, reason, expected, "W2 grants alone");
        return true;
    }

    /// @dev The refusals that can be foreseen, in the order in which the vault looks.
    function whyNotOpened(
        bytes32 key,
        IVault.Position memory p,
        IVenueExchange.Order memory o,
        uint256 pricePips
    ) private view returns (bytes4) {
        if (vault.openingPaused()) return IVault.OpeningIsPaused.selector;
        if (p.cancelRequested) return IVault.CancelWasRequested.selector;
        if (block.timestamp > p.createdAt + 300) return IVault.OpenWindowOver.selector;
        // What the outstanding order filled counts first, and the rest may be smaller than this order.
        uint256 filled = p.filledUsdcUnits + filledOf(key);
        if (o.makerAmount + filled > p.notionalUsdcUnits) return IVault.OrderAmountOutOfRange.selector;
        // Fewer tokens than the user's minimum, here a price above the user's own.
        bool fewer = o.takerAmount * p.notionalUsdcUnits < o.makerAmount * p.minPositionTokenUnits;
        if (fewer || o.makerAmount * 10_000 > o.takerAmount * pricePips) return IVault.OrderPriceTooPoor.selector;
        return 0;
    }

    /// @dev Refusals by the health at the opening, which is the vault's to reckon, and by the caps of the pool,
    /// which lends for the first order only.
    function judgeRefusedOpening(IVault.Position memory p, bytes4 reason, bytes4 expected) private {
        if (expected != 0) return;
        if (reason == IVault.UnhealthyAtOpening.selector) return did(Deed.RefusedUnhealthy);
        bool capped = reason == ILiquidityPool.LiquidityExceeded.selector;
        capped = capped || reason == ILiquidityPool.OutcomeCapExceeded.selector;
        assertTrue(capped && p.principalUsdcUnits == 0, "an opening is refused for a reason of its own");
        did(Deed.RefusedByCaps);
    }

    /// @dev Filled amount of the outstanding order by the exchange, in its maker's units.
    function filledOf(bytes32 key) private view returns (uint256) {
        IVault.LiveOrder memory live = vault.liveOrderOf(key);
        if (live.purpose == IVault.Purpose.None) return 0;
        if (live.orderHash == 0) return vault.grantOf(key).filledUnits;
        (bool filled, uint248 remaining) = exchange.getOrderStatus(live.orderHash);
        if (filled) return live.makerAmount;
        return remaining == 0 ? 0 : live.makerAmount - remaining;
    }

    // ------------------------------------------------------------ selling

    function authorizeSelling(uint256 seed, uint256 price, uint256 part, uint256 kind) public watched {
        bytes32 key = pick(seed);
        if (!isOpen(key)) return;
        IVault.Purpose purpose = IVault.Purpose(2 + (kind % 3));
        IVault.Position memory p = vault.positionOf(key);
        uint256 high = purpose == IVault.Purpose.Liquidate ? liquidationPriceAsFolded(key) : 9_500;
        if (high == 0) return;
        uint32 pricePips = uint32(bound(price, 1, high > 9_999 ? 9_999 : high));
        uint256 maximum = p.tokenUnits;
        if (purpose == IVault.Purpose.Close && p.closeTokenUnits != 0) maximum = p.closeTokenUnits;
        uint256 gives = kind % 2 == 0 ? maximum : bound(part, 1, maximum);
        if (purpose == IVault.Purpose.Unwind) {
            maximum = unwindable(key, pricePips, maximum);
            gives = kind % 2 == 0 ? maximum : bound(part, 1, maximum);
        }
        IVenueExchange.Order memory o = orderFor(key, 1, gives, (gives * pricePips + 9_999) / 10_000);
        if (isRefusedByLedger(key, o, attestationFor(key, purpose, pricePips, 300))) return;
        bytes4 expected = whyNotSold(key, p, purpose, o.makerAmount, pricePips);
        bool stood = isOutstanding(key);
        (bool done, bytes4 reason) = authorizeOf(key, o, attestationFor(key, purpose, pricePips, 300));
        if (!stood) {
            if (expected == 0) assertDone(done, reason, "a sale that keeps every rule is authorised");
            else assertRefused(done, reason, expected, "a sale is refused for what is wrong with it");
        }
        if (!done) return assertTrue(mayFollowABooking(purpose, reason), "a sale is refused for a reason of its own");
        did(Deed(uint256(Deed.OpeningAuthorized) + uint256(purpose) - 1));
        if (purpose != IVault.Purpose.Liquidate) return;
        fold(vm.getRecordedLogs());
        assertLe(pricePips, liquidationPriceAsFolded(key), "I16 only when unhealthy");
    }

    /// @dev I16: a mark above the liquidation price, often by one pip only, and only that is wrong. An order that
    /// stands would be booked first and move the price, so there is none.
    function liquidateHealthy(uint256 seed, uint256 mark, uint256 part) public watched {
        bytes32 key = pick(seed);
        if (!isOpen(key) || isOutstanding(key) || marketOf(key).isManaged) return;
        uint256 price = liquidationPriceAsFolded(key);
        assertEq(vault.liquidationPriceOf(key), price, "I16 the price follows from the events");
        if (price >= 10_000) return;
        uint32 markPips = uint32(mark % 2 == 0 ? price + 1 : bound(mark, price + 1, 10_000));
        uint256 held = vault.positionOf(key).tokenUnits;
        uint256 gives = part % 2 == 0 || held < 10e6 ? held : bound(part, 1, held - 5e6);
        (bool done, ) = authorizeOf(
            key,
            orderFor(key, 1, gives, (gives * markPips + 9_999) / 10_000),
            attestationFor(key, IVault.Purpose.Liquidate, markPips, 300)
        );
        bytes memory expected = abi.encodeWithSelector(IVault.NotLiquidatable.selector, price);
        assertRefusedWith(done, expected, "I16 no healthy position is liquidated");
        did(Deed.HealthyRefused);
    }

    /// @dev The rule a sale breaks as the position is now, in the order in which the vault looks; 0 when it keeps all.
    function whyNotSold(
        bytes32 key,
        IVault.Position memory p,
        IVault.Purpose purpose,
        uint256 gives,
        uint256 pricePips
    ) private view returns (bytes4) {
        uint256 rest = p.tokenUnits - gives;
        bool part = rest >= 10_000;
        if (part && rest < 5e6) return IVault.RemainderTooSmall.selector;
        if (purpose == IVault.Purpose.Liquidate) return 0;
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        uint256 debt = principal + fees;
        // Attested are no trigger and a venue fee under the exchange's highest, which counts where a sale has to cover:
        // past the hard exit everything may go below its debt.
        bool hardExit = purpose == IVault.Purpose.Unwind && !part;
        uint256 netBps = 10_000 - exchange.getMaxFeeRate();
        // Dust that remains is never sold and covers nothing.
        uint256 covering = part ? p.tokenUnits : gives;
        if (pricePips * netBps * covering < debt * 1e8 && !hardExit) return IVault.SaleBelowDebt.selector;
        if (purpose == IVault.Purpose.Unwind) return debt == 0 ? IVault.NotTriggered.selector : bytes4(0);
        if (p.closeTokenUnits == 0) return IVault.CloseNotRequested.selector;
        uint256 receives = (gives * pricePips + 9_999) / 10_000;
        return receives * 10_000 < gives * p.closeMinPricePips ? IVault.OrderPriceTooPoor.selector : bytes4(0);
    }

    /// @dev Reasons to refuse a sale once the earlier order is booked: each is a figure that booking changes.
    function mayFollowABooking(IVault.Purpose purpose, bytes4 reason) private pure returns (bool) {
        // The booked sale ended the position.
        if (reason == IVault.WrongState.selector) return true;
        // Fewer tokens are left than this order gives, or fewer than the venue's smallest order would remain.
        if (reason == IVault.OrderAmountOutOfRange.selector) return true;
        if (reason == IVault.RemainderTooSmall.selector) return true;
        // The booked sale repaid so much that the mark is no longer under the price.
        if (purpose == IVault.Purpose.Liquidate) return reason == IVault.NotLiquidatable.selector;
        // It sold below the debt, so that the rest covers it no longer; or it was enough, or all that was asked.
        if (reason == IVault.SaleBelowDebt.selector) return true;
        if (purpose == IVault.Purpose.Unwind) return reason == IVault.NotTriggered.selector;
        return reason == IVault.CloseNotRequested.selector || reason == IVault.OrderPriceTooPoor.selector;
    }

    /// @dev Tokens an unwind may sell at a price, less those its rest must keep.
    function unwindable(bytes32 key, uint256 pricePips, uint256 maximum) private view returns (uint256) {
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        uint256 repaying = ((principal + fees) * 10_000 * 10_000) / (pricePips * 9_700);
        if (repaying > maximum) return maximum;
        return repaying == 0 ? 1 : repaying;
    }

    /// @dev N8: an order that was filled, if by a unit only, is never authorised again. Whatever else could be wrong
    /// with it is looked at later, but for the state, which the booking of an outstanding order may end.
    function reuseOrder(uint256 seed, uint256 which, uint256 price) public watched {
        bytes32 key = pick(seed);
        IVenueExchange.Order memory o = orders[key];
        if (which % 2 == 0 && stale.length != 0) {
            o = stale[(which >> 8) % stale.length];
            key = keyOfAccount[o.maker];
        }
        if (o.maker == address(0) || !(o.side == 0 ? isPending(key) : isOpen(key))) return;
        bytes32 orderHash = exchange.hashOrder(o);
        if (!isTaken(orderHash) || (o.side == 0 && vault.openingPaused())) return;
        IVault.Purpose purpose = IVault.Purpose(o.side == 0 ? 1 : 2 + ((which >> 16) % 3));
        bool stood = o.side == 1 && isOutstanding(key);
        (bool done, bytes4 reason) = authorizeOf(
            key,
            o,
            attestationFor(key, purpose, uint32(bound(price, 1, 10_000)), 0)
        );
        did(Deed.OrderReused);
        if (stood && reason == IVault.WrongState.selector) return;
        bytes memory expected = abi.encodeWithSelector(IVault.OrderUsed.selector, orderHash);
        assertRefusedWith(done, expected, "N8 an order hash counts once");
    }

    /// @dev True once a unit of the order was filled.
    function isTaken(bytes32 orderHash) private view returns (bool) {
        (bool filled, uint248 remaining) = exchange.getOrderStatus(orderHash);
        return filled || remaining != 0;
    }

    function authorizeOf(
        bytes32 key,
        IVenueExchange.Order memory o,
        IVault.PriceAttestation memory a
    ) private returns (bool done, bytes4 reason) {
        touch(key);
        uint256 required = vault.requiredSignatures();
        assertEq(required, isAlarmed() ? priceKeys.length - 1 : 2, "W5 two of them, all but one during an alarm");
        bytes memory signature = consent(a, required);
        uint64 validUntil = uint64(block.timestamp + 60);
        if (o.salt % 4 == 0) {
            (done, reason) = attempt(
                keeper,
                address(vault),
                abi.encodeCall(
                    IVault.authorizeOrder,
                    (key, IVault.Purpose(a.purpose), o, validUntil, a, consent(a, required - 1))
                )
            );
            assertTrue(!done, "V6 with a signature less nothing is ordered");
            if (reason == IVault.SignaturesRequired.selector) did(Deed.FewerRefused);
        }
        (done, reason) = attempt(
            keeper,
            address(vault),
            abi.encodeCall(IVault.authorizeOrder, (key, IVault.Purpose(a.purpose), o, validUntil, a, signature))
        );
        if (!done) return (done, reason);
        if (isAlarmed()) {
            grantedUntil[key] = vault.alarmEndsAt();
            did(Deed.OrderedInAlarm);
        }
        if (orders[key].maker != address(0)) stale.push(orders[key]);
        orders[key] = o;
    }

    function consent(IVault.PriceAttestation memory a, uint256 signers) private view returns (bytes memory) {
        return consentTo(attestationDigest(a), signers);
    }

    /// @dev So many of the price signers; which ones changes with the time.
    function consentTo(bytes32 digest, uint256 signers) internal view returns (bytes memory) {
        uint256[] memory chosen = new uint256[](signers);
        for (uint256 i = 0; i < signers; ++i) chosen[i] = priceKeys[(block.timestamp + i) % priceKeys.length];
        return signedBy(chosen, digest);
    }

    // ------------------------------------------------------------ measuring

    function finalizePosition(uint256 seed, uint256 who) public watched {
        bytes32 key = pick(seed);
        if (key == 0) return;
        finalizeBy(key, who % 2 == 0 ? keeper : stranger);
    }

    function finalizeBy(bytes32 key, address who) internal {
        bool allowed = mayFinalize(key, who == keeper);
        if (allowed) touch(key);
        bytes4 expected = allowed ? bytes4(0) : whyNotFinalized(key);
        (bool done, bytes4 reason) = attempt(who, address(vault), abi.encodeCall(IVault.finalize, (key)));
        assertTrue(done == allowed && reason == expected, "N6 total, N7 strangers end no live order");
        if (who != keeper) did(done ? Deed.BookedByStranger : Deed.StrangerRefused);
    }

    function whyNotFinalized(bytes32 key) private view returns (bytes4) {
        if (isLive(key)) return IVault.OrderLive.selector;
        if (isPending(key)) return IVault.NotFinalizableYet.selector;
        return isOpen(key) ? IVault.NothingToFinalize.selector : IVault.WrongState.selector;
    }

    /// @dev Keys of every kind, also the same twice and unknown ones: what may not be ended stays.
    function finalizeMany(uint256 seed, uint256 many, uint256 who) public watched {
        bytes32[] memory list = new bytes32[](many % 7);
        bool asKeeper = who % 2 == 0;
        bool any;
        for (uint256 i = 0; i < list.length; ++i) {
            uint256 one = uint256(keccak256(abi.encode(seed, i)));
            list[i] = one % 5 == 0 ? bytes32(one) : pick(one >> 8);
            if (list[i] == 0 || deals[list[i]].user == address(0) || !mayFinalize(list[i], asKeeper)) continue;
            touch(list[i]);
            any = true;
        }
        vm.prank(asKeeper ? keeper : stranger, asKeeper ? keeper : stranger);
        vault.finalizeMany(list);
        if (any) did(Deed.BookedMany);
        for (uint256 i = 0; i < list.length; ++i) {
            assertTrue(!mayFinalize(list[i], asKeeper), "N6 whatever could be ended was");
        }
    }

    function mayFinalize(bytes32 key, bool asKeeper) internal view returns (bool) {
        IVault.Position memory p = vault.positionOf(key);
        bool pending = p.state == IVault.PositionState.Pending;
        if (!pending && (p.state != IVault.PositionState.Open || !isOutstanding(key))) return false;
        if (asKeeper) return true;
        return !isLive(key) && (!pending || p.cancelRequested || block.timestamp > p.createdAt + 300);
    }
}
