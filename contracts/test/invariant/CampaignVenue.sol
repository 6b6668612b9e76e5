// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {UnitMath} from "../../src/libraries/UnitMath.sol";
import {CampaignOrders} from "./CampaignOrders.sol";

/// @notice The venue, honest and hostile: its operator chooses what is filled, when, at which fee and against whom,
/// fills what is long over, and lies about it; USDC blacklists anyone.
abstract contract CampaignVenue is CampaignOrders {
    using UnitMath for uint256;

    /// @dev The operator fills a part of the outstanding order, with any fee the attestation knew of.
    function fillOrder(uint256 seed, uint256 part, uint256 feeSeed) public watched {
        bytes32 key = pick(seed);
        if (key != 0) fillOutstanding(key, part, feeSeed, 300, 0);
    }

    /// @dev Any fee the exchange knows, and also a price better than asked. A venue that lifts its limit once the vault
    /// has looked takes nearly as much again as it fills of a purchase.
    function fillAgainstTheBudget(uint256 seed, uint256 part, uint256 feeSeed, uint256 surplus) public watched {
        bytes32 key = pick(seed);
        if (key == 0) return;
        bool lifted = surplus % 4 == 0 && isPending(key) && isLiveOrder(key);
        if (lifted) setMaxFeeRate(9_999);
        fillOutstanding(key, part, feeSeed, lifted ? 9_999 : 1_000, surplus % 3 == 0 ? 0 : surplus % 500);
        if (!lifted) return;
        setMaxFeeRate(1_000);
        did(Deed.FilledAtLiftedRate);
    }

    function setMaxFeeRate(uint256 rateBps) private {
        address venueOwner = exchange.owner();
        vm.prank(venueOwner, venueOwner);
        exchange.setMaxFeeRate(rateBps);
    }

    function fillOutstanding(bytes32 key, uint256 part, uint256 feeSeed, uint256 feeBps, uint256 surplusBps) private {
        IVault.LiveOrder memory live = vault.liveOrderOf(key);
        if (!isLiveOrder(key)) return;
        IVenueExchange.Order memory o = orders[key];
        (bool filled, uint248 remaining) = exchange.getOrderStatus(live.orderHash);
        if (filled) return;
        uint256 maximum = remaining == 0 ? o.makerAmount : remaining;
        if (o.side == 1 && maximum > heldOf(key)) maximum = heldOf(key);
        if (maximum == 0) return;
        uint256 gives = sizeOf(part, maximum, o.side);
        uint256 receives = (gives * o.takerAmount + o.makerAmount - 1) / o.makerAmount;
        uint256 surplus = ((o.side == 0 ? gives : receives) * surplusBps) / 10_000;
        uint256 fee = bound(feeSeed, 0, (chargedOn(o, gives, receives, surplus) * feeBps) / 10_000);
        touch(key);
        if (o.side == 0) {
            uint256 allowance = usdc.allowance(o.maker, address(exchange));
            askBeyond(o, gives, receives, allowance);
            if (gives > allowance) return;
            if (fee > allowance - gives) fee = allowance - gives;
        }
        if (!fillAt(o, gives, receives, fee, surplus)) return;
        did(gives == maximum ? Deed.FilledWhole : Deed.FilledPart);
        noteFee(key, o, o.side == 0 ? gives - surplus : gives, receives, fee);
    }

    /// @dev Base of the exchange's highest fee: a buyer's money, less the surplus that a direct match never
    /// takes, or the least a seller may get for it, rounded down.
    function chargedOn(
        IVenueExchange.Order memory o,
        uint256 gives,
        uint256 receives,
        uint256 surplus
    ) private pure returns (uint256) {
        if (o.side == 1) return (gives * o.takerAmount) / o.makerAmount;
        return isPaired(o, gives, receives) ? gives : gives - surplus;
    }

    /// @dev N3: one unit more than the account allows, by the fee when the exchange lets it be that high.
    function askBeyond(IVenueExchange.Order memory o, uint256 gives, uint256 receives, uint256 allowance) private {
        uint256 fee = gives > allowance ? 0 : allowance - gives + 1;
        if (fee * 10_000 > gives * exchange.getMaxFeeRate() || exchange.isUserPaused(o.maker)) return;
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(o.tokenId, 1, receives, gives);
        (bool done, bytes4 reason) = matched(o, makers, gives, fee);
        bytes4 expected = IERC20Errors.ERC20InsufficientAllowance.selector;
        assertRefused(done, reason, expected, "N3 the exchange pulls no unit beyond the allowance");
        did(Deed.RefusedBeyondAllowance);
    }

    /// @dev All of it, a part, or so little (bought, or left over) that it ends the position.
    function sizeOf(uint256 part, uint256 maximum, uint8 side) private pure returns (uint256) {
        if (part % 2 == 0) return maximum;
        uint256 remainder = 1 + ((part >> 8) % 2_000);
        if (part % 9 == 1 && maximum > remainder) return side == 0 ? remainder : maximum - remainder;
        return bound(part, 1, maximum);
    }

    /// @dev Against the same token, or against its complement: then a pair is minted or merged.
    function fillAt(
        IVenueExchange.Order memory o,
        uint256 gives,
        uint256 receives,
        uint256 fee,
        uint256 surplus
    ) private returns (bool done) {
        uint256 held = givenBy(o);
        bool pairs = isPaired(o, gives, receives);
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = counterpart(o, gives, receives, surplus);
        bytes4 reason;
        (done, reason) = matched(o, makers, gives, fee);
        if (exchange.isUserPaused(o.maker)) {
            assertRefused(done, reason, IVenueExchange.UserIsPaused.selector, "a paused user trades nothing");
            return false;
        }
        assertDone(done, reason, "a match within its order succeeds");
        if (pairs) did(Deed.FilledPaired);
        // A minted opening counts what it gave at first, and what was not needed has come back.
        if (pairs && surplus != 0 && o.side == 0) did(Deed.FilledGross);
        if (o.side == 0) bought[keyOfAccount[o.maker]] += pairs ? gives : gives - surplus;
        uint256 given = held - givenBy(o);
        if (o.side == 0) assertLe(given, gives + fee, "N3 at most order and fee");
        else assertLe(given, gives, "N3 at most the order's tokens");
    }

    /// @dev Balance of the account in the asset that the order gives.
    function givenBy(IVenueExchange.Order memory o) private view returns (uint256) {
        return o.side == 0 ? usdc.balanceOf(o.maker) : tokens.balanceOf(o.maker, o.tokenId);
    }

    function isPaired(IVenueExchange.Order memory o, uint256 gives, uint256 receives) private pure returns (bool) {
        return (gives & 1) == 1 && (o.side == 0 ? gives < receives : receives < gives);
    }

    /// @dev The maker's order that meets it, with a surplus for who takes it.
    function counterpart(
        IVenueExchange.Order memory o,
        uint256 gives,
        uint256 receives,
        uint256 surplus
    ) private returns (IVenueExchange.Order memory) {
        if (!isPaired(o, gives, receives)) {
            return
                o.side == 0
                    ? makerOrder(o.tokenId, 1, receives, gives - surplus)
                    : makerOrder(o.tokenId, 0, receives + surplus, gives);
        }
        if (o.side == 0) return makerOrder(otherOf(o.tokenId), 0, receives - gives + surplus, receives);
        uint256 rest = gives - receives;
        return makerOrder(otherOf(o.tokenId), 1, gives, rest > surplus ? rest - surplus : 0);
    }

    /// @dev Record a fee that differs from the one the order was checked for.
    function noteFee(
        bytes32 key,
        IVenueExchange.Order memory o,
        uint256 gives,
        uint256 receives,
        uint256 fee
    ) private {
        IVault.Position memory p = vault.positionOf(key);
        if (o.side == 0 && fee * p.notionalUsdcUnits > gives * p.venueFeeUsdcUnits) {
            overrun[key] = true;
            did(Deed.FilledAboveBudget);
        }
        if (o.side == 1 && fee * 10_000 > receives * 300) {
            meddled[key] = true;
            did(Deed.FilledAboveBudget);
        }
    }

    /// @dev The other token of the market.
    function otherOf(uint256 tokenId) private view returns (uint256) {
        (uint256 yes, uint256 no) = pairOf(conditionOf[tokenId]);
        return tokenId == yes ? no : yes;
    }

    function matched(
        IVenueExchange.Order memory o,
        IVenueExchange.Order[] memory makers,
        uint256 gives,
        uint256 fee
    ) private returns (bool done, bytes4 reason) {
        uint256[] memory fills = new uint256[](1);
        fills[0] = makers[0].makerAmount;
        (done, reason) = attempt(
            operator,
            address(exchange),
            abi.encodeCall(
                exchange.matchOrders,
                (conditionOf[o.tokenId], o, makers, gives, fills, fee, new uint256[](1))
            )
        );
    }

    // ------------------------------------------------------------ what is over, and what never was

    function preapprove(uint256 seed) public watched {
        bytes32 key = pick(seed);
        if (key == 0 || !isLiveOrder(key)) return;
        vm.prank(operator, operator);
        exchange.preapproveOrder(orders[key]);
        did(Deed.Preapproved);
    }

    /// @dev An order after its end. Without an allowance nothing moves; while a newer one of the same side is
    /// outstanding, an operator who had approved it in advance fills it within that one's allowance.
    function fillStaleOrder(uint256 seed, uint256 part) public watched {
        if (stale.length == 0) return;
        IVenueExchange.Order memory o = stale[seed % stale.length];
        o.signature = "";
        bytes32 key = keyOfAccount[o.maker];
        (bool filled, uint248 remaining) = exchange.getOrderStatus(exchange.hashOrder(o));
        if (filled) return;
        uint256 within = o.side == 0 ? usdc.allowance(o.maker, address(exchange)) : heldOf(key);
        if (o.side == 1 && !tokens.isApprovedForAll(o.maker, address(exchange))) within = 0;
        uint256 maximum = remaining == 0 ? o.makerAmount : remaining;
        uint256 gives = within != 0 && within < maximum && part % 3 != 0 ? within : maximum;
        if (part % 2 == 0) gives = bound(part, 1, gives);
        uint256 receives = (gives * o.takerAmount + o.makerAmount - 1) / o.makerAmount;
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(o.tokenId, 1 - o.side, receives, gives);
        touch(key);
        uint256 fee = o.side == 0 && within > gives ? bound(part >> 128, 0, (within - gives).min(gives / 10)) : 0;
        (bool done, ) = matched(o, makers, gives, fee);
        did(done ? Deed.StaleFilled : Deed.StaleRefused);
        if (!done) return;
        assertLe(gives + fee, within, "the allowance is the kill switch, and the bound");
        if (o.side == 1) {
            meddled[key] = true;
            return;
        }
        (overrun[key], bought[key]) = (true, bought[key] + gives);
        did(Deed.StaleBought);
    }

    /// @dev F10: a match that reverts after all was shown to the world. Nothing may have changed.
    function ghostFill(uint256 seed) public watched {
        bytes32 key = pick(seed);
        if (key == 0 || !isLiveOrder(key)) return;
        IVenueExchange.Order memory o = orders[key];
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(o.tokenId, 1 - o.side, o.takerAmount, o.makerAmount);
        makers[0].signature = "";
        (bool done, ) = matched(o, makers, o.makerAmount, 0);
        assertTrue(!done, "unsigned makers match nothing");
        did(Deed.GhostFilled);
    }

    // ------------------------------------------------------------ lies

    /// @dev The exchange answers about an outstanding order whatever it likes, while the order is measured.
    function finalizeAmidLies(uint256 seed, uint256 lie) public watched {
        bytes32 key = pick(seed);
        if (key == 0 || vault.liveOrderOf(key).orderHash == 0) return;
        lieAbout(key, vault.liveOrderOf(key).orderHash, lie);
        finalizeBy(key, keeper);
        vm.clearMockedCalls();
        did(Deed.LiedTo);
    }

    /// @dev Until the mocked calls are cleared. An opening lends by the answer, as far as its cash bears that out.
    function lieAbout(bytes32 key, bytes32 orderHash, uint256 lie) internal {
        (overrun[key], liedAbout[key]) = (true, true);
        bytes memory question = abi.encodeCall(IVenueExchange.getOrderStatus, (orderHash));
        uint256 kind = lie % 5;
        uint256 figure = lie >> 8;
        if (kind == 0) vm.mockCallRevert(address(exchange), question, "");
        else if (kind == 1) vm.mockCall(address(exchange), question, hex"01");
        else if (kind == 2) vm.mockCall(address(exchange), question, abi.encode(true, figure));
        else if (kind == 3) vm.mockCall(address(exchange), question, abi.encode(false, figure % 1e9));
        else vm.mockCall(address(exchange), question, abi.encode(figure, figure));
    }

    function pauseAtVenue(uint256 seed) public watched {
        bytes32 key = pick(seed);
        if (key == 0) return;
        bool paused = exchange.isPausedByOperator(deals[key].account);
        vm.prank(operator, operator);
        exchange.pauseByOperator(deals[key].account, !paused);
        did(Deed.VenuePaused);
    }

    /// @dev One of the users, the providers and the treasury is blacklisted, or all are taken off.
    function bar(uint256 seed) public watched {
        if (seed % 2 == 0) {
            usdc.setBlacklisted(seed % 3 == 0 ? treasury : people[(seed >> 8) % people.length], true);
            return did(Deed.PersonBlacklisted);
        }
        for (uint256 i = 0; i < people.length; ++i) usdc.setBlacklisted(people[i], false);
        did(Deed.BlacklistCleared);
    }
}
