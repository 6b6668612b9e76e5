// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IPairFiller} from "../../src/interfaces/IPairFiller.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {CampaignVenue} from "./CampaignVenue.sol";

/// @notice Grants, and who fills them: a plain account, a contract that reenters, a user, also of its own position.
abstract contract CampaignFills is CampaignVenue {
    // ------------------------------------------------------------ granting

    function grantOpening(uint256 seed, uint256 price, uint256 part) public watched {
        bytes32 key = pick(seed);
        if (!isPending(key)) return;
        IVault.Position memory p = vault.positionOf(key);
        uint256 maximum = p.notionalUsdcUnits - p.filledUsdcUnits;
        if (maximum == 0) return;
        uint32 markPips = uint32(bound(price, 500, 9_500));
        uint256 size = part % 3 != 0 ? maximum : bound(part, (maximum + 3) / 4, maximum);
        uint256 feeBps = (uint256(p.venueFeeUsdcUnits) * 10_000) / p.notionalUsdcUnits;
        IVault.GrantAttestation memory a = grantFor(key, IVault.Purpose.Open, markPips, part >> 16);
        a.limitPips = uint32(markPips + ((part >> 32) % (markPips / 25 + 1)));
        a.venueFeeBps = uint16(feeBps < 550 ? feeBps : 550);
        if (!granted(key, size, a)) return;
        if (markPips > marks[key]) marks[key] = markPips;
        did(Deed.GrantedOpening);
    }

    function grantSelling(uint256 seed, uint256 price, uint256 part, uint256 kind) public watched {
        bytes32 key = pick(seed);
        if (!isOpen(key)) return;
        IVault.Purpose purpose = IVault.Purpose(2 + (kind % 3));
        IVault.Position memory p = vault.positionOf(key);
        uint256 high = purpose == IVault.Purpose.Liquidate ? liquidationPriceAsFolded(key) : 9_500;
        if (high == 0) return;
        uint32 markPips = uint32(bound(price, 1, high > 9_999 ? 9_999 : high));
        uint256 maximum = p.tokenUnits;
        if (purpose == IVault.Purpose.Close && p.closeTokenUnits != 0) maximum = p.closeTokenUnits;
        IVault.GrantAttestation memory a = grantFor(key, purpose, markPips, part >> 16);
        a.limitPips = uint32(markPips - ((part >> 32) % (markPips / 20 + 1)));
        a.venueFeeBps = 300;
        if (!granted(key, kind % 2 == 0 ? maximum : bound(part, 1, maximum), a)) return;
        did(Deed(uint256(Deed.GrantedOpening) + uint256(purpose) - 1));
    }

    function grantFor(
        bytes32 key,
        IVault.Purpose purpose,
        uint32 markPips,
        uint256 seed
    ) internal view returns (IVault.GrantAttestation memory a) {
        a = grantAttestation(purpose, markPips, markPips, type(uint48).max);
        a.positionKey = key;
        a.marketId = marketOf(key).conditionId;
        a.tokenId = sideOf(key).tokenId;
        a.validFor = uint16(6 + (seed % 15));
        a.notAfter = uint64(block.timestamp + ((seed >> 4) % 30));
    }

    /// @dev Whatever is wrong with a grant has its own name; what that must be, the tests of each rule say.
    function granted(bytes32 key, uint256 size, IVault.GrantAttestation memory a) private returns (bool done) {
        touch(key);
        bytes memory signatures = consentTo(grantDigest(a), vault.requiredSignatures());
        bytes4 reason;
        (done, reason) = attempt(
            keeper,
            address(vault),
            abi.encodeCall(IVault.authorizeGrant, (key, IVault.Purpose(a.purpose), size, a, signatures))
        );
        if (marketOf(key).resolved) assertTrue(!done, "H5 nothing is granted once it is decided");
        if (!done) {
            assertTrue(isGrantRefusal(reason), "a grant is refused for a reason of its own");
            did(Deed.GrantRefused);
            return false;
        }
        noteGranted(key);
    }

    function noteGranted(bytes32 key) internal {
        if (isAlarmed()) grantedUntil[key] = vault.alarmEndsAt();
        // An order of the exchange that it replaced may be filled no more.
        if (orders[key].maker != address(0)) stale.push(orders[key]);
        delete orders[key];
        assertTrue(isGranted(key), "H15 a grant has no hash");
    }

    function isGrantRefusal(bytes4 reason) internal pure returns (bool) {
        bytes4[17] memory known = [
            IVault.WrongState.selector,
            IVault.OpeningIsPaused.selector,
            IVault.OutcomeDecided.selector,
            IVault.AttestationUsed.selector,
            IVault.OrderAmountOutOfRange.selector,
            IVault.CancelWasRequested.selector,
            IVault.OpenWindowOver.selector,
            IVault.VenueFeeTooSmall.selector,
            IVault.UnhealthyAtOpening.selector,
            IVault.LeverageAboveQuoted.selector,
            ILiquidityPool.LiquidityExceeded.selector,
            ILiquidityPool.OutcomeCapExceeded.selector,
            IVault.RemainderTooSmall.selector,
            IVault.NotLiquidatable.selector,
            IVault.SaleBelowDebt.selector,
            IVault.CloseNotRequested.selector,
            IVault.NotTriggered.selector
        ];
        for (uint256 i = 0; i < known.length; ++i) if (known[i] == reason) return true;
        return false;
    }

    // ------------------------------------------------------------ filling

    /// @dev The next grant that can be filled, after some of its seconds.
    function fillGrants(uint256 seed, uint256 give, uint256 who, uint256 elapsed) public watched {
        if (elapsed % 2 == 0) skip((elapsed >> 8) % 20);
        for (uint256 i = 0; i < keys.length; ++i) {
            bytes32 key = pick((seed % keys.length) + i);
            if (isGranted(key)) return fillGranted(key, give, fillers[who % fillers.length]);
        }
    }

    function fillGranted(bytes32 key, uint256 give, address who) private {
        IVault.LiveGrant memory g = vault.grantOf(key);
        (uint256 given, uint256 taken) = vault.quoteFill(key, type(uint256).max);
        if (!isLive(key)) assertEq(given, 0, "nothing is quoted of what is over");
        if (given == 0) return refuseFillAt(key, who);
        if (give % 4 == 1) refusePoorFill(key, who, given / 2, taken);
        if (give % 2 == 0) (given, taken) = partOf(key, bound(give >> 8, given / 6, given), given, taken);
        touch(key);
        actor = who;
        bool reenters = who == address(hostile);
        if (reenters) hostile.arm(address(vault), abi.encodeCall(IVault.finalize, (key)));
        // More than the rest on both sides is cut at the same ratio. Three times a part could leave a position that
        // is too small for a sale of its own.
        uint256 times = give % 10 == 5 ? 3 : 1;
        uint256 held = heldOf(key);
        (bool done, bytes4 reason) = tryFill(key, who, given * times, taken * times);
        assertDoneUnlessBlacklisted(done, reason, who, "what is quoted is accepted");
        if (!done) return;
        uint256 moved = g.purpose == IVault.Purpose.Open ? given : taken;
        if (times == 1) assertEq(delta(held, heldOf(key)), moved, "R1 tokens");
        if (reenters) {
            bytes4 locked = ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector;
            assertTrue(!hostile.attempted() && bytes4(hostile.answer()) == locked, "H16 one lock over all entries");
            did(Deed.FillerReentered);
        }
        if (who == deals[key].user) did(Deed.FilledByOwner);
        did(Deed.GrantFilled);
        did(isOutstanding(key) ? Deed.GrantFilledInPart : Deed.GrantFinished);
    }

    /// @dev The plain account fills most openings with pairs.
    function tryFill(bytes32 key, address who, uint256 give, uint256 take) private returns (bool, bytes4) {
        bool opens = vault.grantOf(key).purpose == IVault.Purpose.Open;
        if (who == filler && opens && give % 3 != 0) return tryPairs(key, give, take);
        bytes memory data = who == address(hostile) ? bytes(hex"01") : bytes("");
        return attempt(who, address(vault), abi.encodeCall(IVault.fill, (key, give, take, data)));
    }

    /// @dev Nothing stays in the contract that makes them.
    function tryPairs(bytes32 key, uint256 give, uint256 take) private returns (bool done, bytes4 reason) {
        bytes memory call = abi.encodeCall(IPairFiller.fill, (key, give, take, complementOf(key)));
        (done, reason) = attempt(filler, address(pairs), call);
        if (done) did(Deed.FilledByPairs);
        assertEq(usdc.balanceOf(address(pairs)), 0, "no USDC stays");
        assertEq(ledgerOf(deals[key].side).balanceOf(address(pairs), sideOf(key).tokenId), 0, "nor a token");
        assertEq(ledgerOf(deals[key].side).balanceOf(address(pairs), complementOf(key)), 0, "nor one of the others");
    }

    /// @dev As much of it as is accepted, or all.
    function partOf(bytes32 key, uint256 give, uint256 given, uint256 taken) private view returns (uint256, uint256) {
        (uint256 less, uint256 takes) = vault.quoteFill(key, give);
        return less == 0 ? (given, taken) : (less, takes);
    }

    function delta(uint256 a, uint256 b) internal pure returns (uint256) {
        return a > b ? a - b : b - a;
    }

    /// @dev Nothing for everything, of a grant that takes no fill now.
    function refuseFillAt(bytes32 key, address who) private {
        (bool done, ) = attempt(who, address(vault), abi.encodeCall(IVault.fill, (key, 1, 1e12, "")));
        assertTrue(!done, "R3 nothing is filled that is not quoted");
        did(Deed.FillRefused);
    }

    /// @dev R3: half of the price.
    function refusePoorFill(bytes32 key, address who, uint256 give, uint256 take) private {
        (bool done, bytes4 reason) = attempt(who, address(vault), abi.encodeCall(IVault.fill, (key, give, take, "")));
        assertRefused(done, reason, IVault.GrantPriceTooPoor.selector, "R3 not worse than the price now");
        did(Deed.FillRefusedAsPoor);
    }

    // ------------------------------------------------------------ ending

    /// @dev R4: a signer, the keeper, the guardian or the owner ends any grant, live or over; no one else does.
    function endGrants(uint256 seed, uint256 who) public watched {
        for (uint256 i = 0; i < keys.length; ++i) {
            bytes32 key = pick((seed % keys.length) + i);
            if (!isGranted(key)) continue;
            address[4] memory may = [vm.addr(priceKeys[who % priceKeys.length]), keeper, guardian, owner];
            (bool done, bytes4 reason) = attempt(stranger, address(vault), abi.encodeCall(IVault.endGrant, (key)));
            assertRefused(done, reason, IVault.NotGrantAuthority.selector, "not by strangers");
            bool live = isLive(key);
            touch(key);
            (done, reason) = attempt(may[(who >> 8) % 4], address(vault), abi.encodeCall(IVault.endGrant, (key)));
            assertDone(done, reason, "R4 the end of a grant never fails");
            assertTrue(!isOutstanding(key), "R4 and ends it");
            if (live) did(Deed.GrantEndedEarly);
            return;
        }
    }

    // ------------------------------------------------------------ whole lives

    function openByGrant(uint256 seed, uint256 collateral, uint256 price, uint256 part) public {
        uint256 before = keys.length;
        createPosition(seed, collateral, part % 10, price);
        if (keys.length == before) return;
        grantOpening(before, 3_000 + (price % 6_000), part);
        for (uint256 i = 0; i < 3; ++i) {
            if (!isGranted(keys[before])) break;
            fillGrants(before, part >> (8 * i), seed >> (8 * i), price >> (8 * i));
        }
        if (part % 5 != 0) finalizePosition(before, 0);
    }

    function sellByGrant(uint256 seed, uint256 price, uint256 part, uint256 kind) public {
        if (keys.length == 0) return;
        if (kind % 3 == 0) requestClosing(seed % keys.length, part, price % 1_000);
        grantSelling(seed % keys.length, 1_000 + (price % 5_000), part, kind);
        for (uint256 i = 0; i < 3; ++i) {
            if (!isGranted(pick(seed % keys.length))) return;
            fillGrants(seed % keys.length, part >> (8 * i), seed >> (8 * i), price >> (8 * i));
        }
        if (part % 4 == 0) endGrants(seed % keys.length, part >> 8);
        else if (part % 4 == 1) finalizePosition(seed % keys.length, 0);
    }

    function requestClosing(uint256 seed, uint256 part, uint256 price) public virtual;
}
