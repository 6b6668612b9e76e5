// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {CampaignWatch} from "./CampaignWatch.sol";

/// @notice How a position comes into being and how its orders are authorised, measured and ended. Calls that must
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
        promote(r, side, users[(seed >> 8) % users.length]);
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
        assertTrue(done == !isBarred(user), "a quoted position is created");
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
        uint256 most = p.notionalUsdcUnits - p.filledUsdcUnits;
        if (most == 0) return;
        uint256 gives = p.minFillBps == 10_000 ? most : bound(part, (most + 3) / 4, most);
        IVenueExchange.Order memory o = orderFor(key, 0, gives, (gives * 10_000 + pricePips - 1) / pricePips);
        bool paused = vault.openingPaused();
        (bool done, bytes4 reason) = authorizeOf(
            key,
            o,
            attestationFor(key, IVault.Purpose.Open, pricePips, 0)
        );
        if (paused) assertRefused(done, reason, IVault.OpeningIsPaused.selector, "I21 no opening while paused");
        bytes4 liquidity = ILiquidityPool.LiquidityExceeded.selector;
        if (reason == liquidity || reason == ILiquidityPool.OutcomeCapExceeded.selector) did(Deed.RefusedByCaps);
        if (!done) return;
        if (pricePips > marks[key]) marks[key] = pricePips;
        did(Deed.OpeningAuthorized);
    }

    // ------------------------------------------------------------ selling

    function authorizeSelling(uint256 seed, uint256 price, uint256 part, uint256 kind) public watched {
        bytes32 key = pick(seed);
        if (!isOpen(key)) return;
        IVault.Purpose purpose = IVault.Purpose(2 + (kind % 3));
        IVault.Position memory p = vault.positionOf(key);
        uint256 high = purpose == IVault.Purpose.Liquidate ? vault.liquidationPriceOf(key) : 9_500;
        if (high == 0) return;
        uint32 pricePips = uint32(bound(price, 1, high > 9_999 ? 9_999 : high));
        uint256 most = p.tokenUnits;
        if (purpose == IVault.Purpose.Close && p.closeTokenUnits != 0) most = p.closeTokenUnits;
        uint256 gives = kind % 2 == 0 ? most : bound(part, 1, most);
        if (purpose == IVault.Purpose.Unwind) gives = bound(part, 1, unwindable(key, pricePips, most));
        IVenueExchange.Order memory o = orderFor(key, 1, gives, (gives * pricePips + 9_999) / 10_000);
        (, uint256 threshold, ) = vault.healthOf(key, pricePips);
        (bool done, ) = authorizeOf(key, o, attestationFor(key, purpose, pricePips, 300));
        if (!done) return;
        uint256 perToken = (threshold * 10_000) / p.tokenUnits;
        if (purpose == IVault.Purpose.Liquidate) assertLe(pricePips, perToken, "I16 only when unhealthy");
        did(Deed(uint256(Deed.OpeningAuthorized) + uint256(purpose) - 1));
    }

    /// @dev What an unwind may sell at a price, less what its rest must keep.
    function unwindable(bytes32 key, uint256 pricePips, uint256 most) private view returns (uint256) {
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        uint256 repaying = ((principal + fees) * 10_000 * 10_000) / (pricePips * 9_700);
        if (repaying > most) return most;
        return repaying == 0 ? 1 : repaying;
    }

    function authorizeOf(
        bytes32 key,
        IVenueExchange.Order memory o,
        IVault.PriceAttestation memory a
    ) private returns (bool done, bytes4 reason) {
        touch(key);
        bytes memory signature = signed(priceKey, attestationDigest(a));
        uint64 validUntil = uint64(block.timestamp + 60);
        (done, reason) = attempt(
            keeper,
            address(vault),
            abi.encodeCall(IVault.authorizeOrder, (key, IVault.Purpose(a.purpose), o, validUntil, a, signature))
        );
        if (!done) return (done, reason);
        if (orders[key].maker != address(0)) stale.push(orders[key]);
        orders[key] = o;
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
        (bool done, ) = attempt(who, address(vault), abi.encodeCall(IVault.finalize, (key)));
        assertTrue(done == allowed, "N6 total, N7 strangers end no live order");
        if (who != keeper) did(done ? Deed.BookedByStranger : Deed.StrangerRefused);
    }

    /// @dev Keys of every kind, also the same twice and ones nobody knows: what may not be ended stays.
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
        IVault.LiveOrder memory live = vault.liveOrderOf(key);
        bool pending = p.state == IVault.PositionState.Pending;
        if (!pending && (p.state != IVault.PositionState.Open || live.orderHash == 0)) return false;
        if (asKeeper) return true;
        return !isLive(live) && (!pending || p.cancelRequested || block.timestamp > p.since + 300);
    }
}
