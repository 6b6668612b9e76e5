// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {CampaignBatches} from "./CampaignBatches.sol";

/// @notice Requests of owners, and ends of positions.
abstract contract CampaignEndings is CampaignBatches {
    function cancel(uint256 seed) public watched {
        bytes32 key = pick(seed);
        if (!isPending(key)) return;
        touch(key);
        actor = deals[key].user;
        vm.prank(actor, actor);
        vault.cancelPosition(key);
        did(Deed.CancelAsked);
    }

    function requestClosing(uint256 seed, uint256 part, uint256 price) public override watched {
        bytes32 key = pick(seed);
        if (!isOpen(key)) return;
        touch(key);
        IVault.Position memory p = vault.positionOf(key);
        uint256 minimum = (uint256(p.originalTokenUnits) + 4) / 5;
        if (minimum < 5e6) minimum = 5e6;
        bool whole = part % 2 == 0 || p.tokenUnits < minimum + 5e6;
        actor = p.user;
        vm.prank(actor, actor);
        vault.requestClose(key, whole ? p.tokenUnits : bound(part, minimum, p.tokenUnits - 5e6), price % 5_000);
        did(Deed.CloseAsked);
    }

    /// @dev Tokens that a liquidation sold and that are not booked yet: margin must not take their place.
    function isLiquidatedUnbooked(bytes32 key) private view returns (bool) {
        IVault.LiveOrder memory live = vault.liveOrderOf(key);
        if (live.purpose != IVault.Purpose.Liquidate) return false;
        // Fills are known, and a donation would hide what they sold.
        if (live.orderHash == 0) return vault.grantOf(key).filledUnits != 0;
        return heldOf(key) < vault.positionOf(key).tokenUnits;
    }

    function addMargin(uint256 seed, uint256 usdcUnits) public watched {
        bytes32 key = pick(seed);
        if (!isOpen(key)) return;
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        if (principal + fees == 0) return;
        uint256 price = vault.liquidationPriceOf(key);
        bool unbooked = isLiquidatedUnbooked(key);
        if (unbooked) did(Deed.MarginAmidBooking);
        touch(key);
        actor = deals[key].user;
        (bool done, bytes4 reason) = attempt(
            actor,
            address(vault),
            abi.encodeCall(IVault.addMargin, (key, bound(usdcUnits, 1, 2 * (principal + fees))))
        );
        if (unbooked) {
            return assertRefused(done, reason, bytes4(keccak256("SaleNotBooked()")), "margin waits for the booking");
        }
        assertDoneUnlessBlacklisted(done, reason, actor, "margin is always welcome");
        if (done) did(Deed.MarginPaid);
        assertLe(vault.liquidationPriceOf(key), price, "I17 margin only helps");
    }

    function exit(uint256 seed) public watched {
        bytes32 key = pick(seed);
        if (!isOpen(key) || isLive(key)) return;
        touch(key);
        actor = deals[key].user;
        (bool done, bytes4 reason) = attempt(
            actor,
            address(vault),
            abi.encodeCall(IVault.exitByRepaying, (key, address(0xbeef)))
        );
        // A blacklisted user whose loan is repaid, or whose sale ended it, has nothing to pay.
        if (!done) assertDoneUnlessBlacklisted(done, reason, actor, "who pays is out");
        if (done) assertTrue(!isOpen(key), "out");
    }

    // ------------------------------------------------------------ resolution

    function resolveMarket(uint256 seed, uint256 yesPart, uint256 noPart) public watched {
        Market storage market = markets[seed % markets.length];
        if (market.resolved || keys.length < MAX_POSITIONS / 3) return;
        market.resolved = true;
        uint256[2][6] memory vectors = [
            [uint256(1), 0],
            [uint256(0), 1],
            [uint256(1), 1],
            [uint256(1), 2],
            [uint256(3), 1],
            [1 + (yesPart % 1_000), noPart % 1_000]
        ];
        uint256[2] memory chosen = vectors[(seed >> 16) % 6];
        did(Deed.Resolved);
        if (market.isManaged) {
            uint256 share = (chosen[0] * 1_000_000) / (chosen[0] + chosen[1]);
            market.payouts = [share, 1_000_000 - share];
            return aggregator.resolveResult(market.conditionId, share);
        }
        uint256[] memory payouts = new uint256[](2);
        (payouts[0], payouts[1]) = (chosen[0], chosen[1]);
        market.payouts = chosen;
        vm.prank(oracle, oracle);
        tokens.reportPayouts(market.question, payouts);
    }

    /// @dev Nothing may hinder it: no outstanding order, no pause, no bar, no answer of the exchange.
    function settlePosition(uint256 seed, uint256 lie) public watched {
        bytes32 key = pick(seed);
        if (!isOpen(key) && !isPending(key)) return;
        bool resolved = marketOf(key).resolved;
        if (resolved) touch(key);
        uint256 worth = resolved ? redeemable(key) : 0;
        address backing = marketOf(key).isManaged ? address(module) : address(tokens);
        uint256 escrow = usdc.balanceOf(backing);
        bytes32 orderHash = vault.liveOrderOf(key).orderHash;
        bool lied = orderHash != 0 && lie % 3 == 0;
        if (lied) lieAbout(key, orderHash, lie);
        (bool done, bytes4 reason) = attempt(stranger, address(vault), abi.encodeCall(IVault.settle, (key)));
        if (lied) vm.clearMockedCalls();
        if (!resolved) {
            return assertRefused(done, reason, IVault.NotResolved.selector, "I19 not before its own market");
        }
        assertDone(done, reason, "N6 settlement is total");
        assertTrue(uint256(stateOf(key)) > uint256(IVault.PositionState.Open), "I19 settled once");
        if (stateOf(key) != IVault.PositionState.Settled) return;
        // V8: what pays nothing is not redeemed.
        bool pays = marketOf(key).payouts[sideOf(key).indexSet - 1] != 0;
        if (pays) assertEq(heldOf(key), 0, "I19 every token is redeemed");
        assertEq(escrow - usdc.balanceOf(backing), worth, "I19 for what its own outcome pays");
    }

    function claimPosition(uint256 seed, uint256 by) public watched {
        bytes32 key = pick(seed);
        if (key == 0 || uint256(stateOf(key)) <= uint256(IVault.PositionState.Open)) return;
        bool asUser = by % 2 == 0;
        address who = asUser ? deals[key].user : stranger;
        bool indebted = vault.positionOf(key).badDebtUsdcUnits != 0;
        if (cashIn(key) == 0 && (!asUser || heldOf(key) == 0 || indebted)) return;
        touch(key);
        if (asUser) actor = who;
        (bool done, bytes4 reason) = attempt(who, address(vault), abi.encodeCall(IVault.claim, (key)));
        assertDone(done, reason, "N6 a claim is total");
    }

    /// @dev Whatever order is live; the guardian sets and never clears, the owner does both.
    function impair(uint256 seed, uint256 by) public watched {
        bytes32 key = pick(seed);
        if (key == 0) return;
        bool on = pool.impairedOf(key) == 0 || by % 4 == 0;
        address who = by % 3 == 0 ? owner : vault.guardian();
        uint256 principal = vault.positionOf(key).principalUsdcUnits;
        (bool done, bytes4 reason) = attempt(who, address(vault), abi.encodeCall(IVault.impair, (key, on)));
        if (!on && who != owner) {
            bytes4 unauthorized = bytes4(keccak256("OwnableUnauthorizedAccount(address)"));
            return assertRefused(done, reason, unauthorized, "V5 the owner alone clears");
        }
        if (!isOpen(key) || principal == 0) {
            did(Deed.ImpairRefused);
            bytes4 refusal = isOpen(key) ? IVault.NothingOwed.selector : IVault.WrongState.selector;
            return assertRefused(done, reason, refusal, "V5 an open loan, or nothing");
        }
        assertDone(done, reason, "V5 no order, price or time stands in the way");
        assertEq(pool.impairedOf(key), on ? principal : 0, "V5 the whole loan");
        did(on ? Deed.Impaired : Deed.Cleared);
    }
}
