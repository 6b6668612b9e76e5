// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {CampaignVenue} from "./CampaignVenue.sol";

/// @notice What the owner of a position may ask, and how positions end.
abstract contract CampaignEndings is CampaignVenue {
    function cancel(uint256 seed) public watched {
        bytes32 key = pick(seed);
        if (!isPending(key)) return;
        touch(key);
        actor = deals[key].user;
        vm.prank(actor, actor);
        vault.cancelPosition(key);
        did(Deed.CancelAsked);
    }

    function requestClosing(uint256 seed, uint256 part, uint256 price) public watched {
        bytes32 key = pick(seed);
        if (!isOpen(key)) return;
        touch(key);
        IVault.Position memory p = vault.positionOf(key);
        uint256 least = (uint256(p.originalTokenUnits) + 4) / 5;
        if (least < 5e6) least = 5e6;
        bool whole = part % 2 == 0 || p.tokenUnits < least + 5e6;
        actor = p.user;
        vm.prank(actor, actor);
        vault.requestClose(key, whole ? p.tokenUnits : bound(part, least, p.tokenUnits - 5e6), price % 5_000);
        did(Deed.CloseAsked);
    }

    /// @dev Tokens that a liquidation sold and nobody has booked yet: margin must not take their place.
    function isLiquidatedUnbooked(bytes32 key) private view returns (bool) {
        IVault.LiveOrder memory live = vault.liveOrderOf(key);
        return live.purpose == IVault.Purpose.Liquidate && heldOf(key) < vault.positionOf(key).tokenUnits;
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
        assertDoneUnlessBarred(done, reason, actor, "margin is always welcome");
        if (done) did(Deed.MarginPaid);
        assertLe(vault.liquidationPriceOf(key), price, "I17 margin only helps");
    }

    function exit(uint256 seed) public watched {
        bytes32 key = pick(seed);
        if (!isOpen(key) || isLive(vault.liveOrderOf(key))) return;
        touch(key);
        actor = deals[key].user;
        (bool done, bytes4 reason) = attempt(
            actor,
            address(vault),
            abi.encodeCall(IVault.exitByRepaying, (key, address(0xbeef)))
        );
        // A barred user whose loan is repaid, or whose sale ended it, has nothing to pay.
        if (!done) assertDoneUnlessBarred(done, reason, actor, "who pays is out");
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
        uint256[] memory payouts = new uint256[](2);
        (payouts[0], payouts[1]) = (vectors[(seed >> 16) % 6][0], vectors[(seed >> 16) % 6][1]);
        market.payouts = vectors[(seed >> 16) % 6];
        vm.prank(oracle, oracle);
        tokens.reportPayouts(market.question, payouts);
        did(Deed.Resolved);
    }

    /// @dev Nothing may hinder it: no standing order, no pause, no bar, no answer of the exchange.
    function settlePosition(uint256 seed, uint256 lie) public watched {
        bytes32 key = pick(seed);
        if (!isOpen(key) && !isPending(key)) return;
        bool resolved = marketOf(key).resolved;
        if (resolved) touch(key);
        uint256 worth = resolved ? redeemable(key) : 0;
        uint256 escrow = usdc.balanceOf(address(tokens));
        bytes32 orderHash = vault.liveOrderOf(key).orderHash;
        bool lied = orderHash != 0 && lie % 3 == 0;
        if (lied) {
            overrun[key] = true;
            answerFalsely(orderHash, lie);
        }
        (bool done, bytes4 reason) = attempt(stranger, address(vault), abi.encodeCall(IVault.settle, (key)));
        if (lied) vm.clearMockedCalls();
        if (!resolved) {
            return assertRefused(done, reason, IVault.NotResolved.selector, "I19 not before its own market");
        }
        assertTrue(done, "N6 settlement is total");
        assertTrue(uint256(stateOf(key)) > uint256(IVault.PositionState.Open), "I19 settled once");
        if (stateOf(key) != IVault.PositionState.Settled) return;
        assertEq(heldOf(key), 0, "I19 every token is redeemed");
        assertEq(escrow - usdc.balanceOf(address(tokens)), worth, "I19 for what its own outcome pays");
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
        (bool done, ) = attempt(who, address(vault), abi.encodeCall(IVault.claim, (key)));
        assertTrue(done, "N6 a claim is total");
    }

    function writeOff(uint256 seed) public watched {
        bytes32 key = pick(seed);
        if (!isOpen(key)) return;
        IVault.Position memory p = vault.positionOf(key);
        if (p.principalUsdcUnits == 0 || vault.liveOrderOf(key).orderHash != 0) return;
        touch(key);
        (bool done, bytes4 reason) = attempt(owner, address(vault), abi.encodeCall(IVault.writeOff, (key)));
        if (block.timestamp < p.since + 60 days) {
            return assertRefused(done, reason, IVault.TooEarly.selector, "written off after its time only");
        }
        assertTrue(done, "written off after its time");
        did(Deed.WrittenOff);
    }
}
