// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VenueExchange} from "../../venue/VenueExchange.sol";
import {CampaignOrders} from "./CampaignOrders.sol";

/// @notice The venue, honest and hostile: its operator chooses what is filled, when, at which fee and against whom,
/// fills what is long over, and lies about it; USDC bars whom it likes.
abstract contract CampaignVenue is CampaignOrders {
    /// @dev The operator fills a part of the standing order, with any fee the attestation knew of.
    function fillOrder(uint256 seed, uint256 part, uint256 feeSeed) public watched {
        bytes32 key = pick(seed);
        if (key != 0) fillStanding(key, part, feeSeed, 300, 0);
    }

    /// @dev Any fee the exchange knows, and with the older status also a price better than asked.
    function fillAgainstTheBudget(uint256 seed, uint256 part, uint256 feeSeed, uint256 surplus) public watched {
        bytes32 key = pick(seed);
        if (key != 0) fillStanding(key, part, feeSeed, 1_000, surplus % 3 == 0 ? 0 : surplus % 500);
    }

    function fillStanding(bytes32 key, uint256 part, uint256 feeSeed, uint256 feeBps, uint256 surplusBps) private {
        IVault.LiveOrder memory live = vault.liveOrderOf(key);
        if (!isLive(live)) return;
        IVenueExchange.Order memory o = orders[key];
        (bool filled, uint248 remaining) = exchange.getOrderStatus(live.orderHash);
        if (filled) return;
        uint256 most = remaining == 0 ? o.makerAmount : remaining;
        if (o.side == 1 && most > heldOf(key)) most = heldOf(key);
        if (most == 0) return;
        uint256 gives = sizeOf(part, most, o.side);
        uint256 receives = (gives * o.takerAmount + o.makerAmount - 1) / o.makerAmount;
        uint256 traded = o.side == 0 ? gives : receives;
        uint256 fee = bound(feeSeed, 0, (traded * feeBps) / 10_000);
        touch(key);
        if (o.side == 0) {
            uint256 allowance = usdc.allowance(o.maker, address(exchange));
            askBeyond(o, gives, receives, allowance);
            if (gives > allowance) return;
            if (fee > allowance - gives) fee = allowance - gives;
        }
        uint256 surplus = (traded * surplusBps) / 10_000;
        if (!fillAt(o, gives, receives, fee, surplus)) return;
        did(gives == most ? Deed.FilledWhole : Deed.FilledPart);
        if (surplus != 0) did(Deed.FilledGross);
        noteFee(key, o, gives, receives, fee);
    }

    /// @dev N3: one unit more than the account allows, by the fee when the exchange lets it be that high.
    function askBeyond(IVenueExchange.Order memory o, uint256 gives, uint256 receives, uint256 allowance) private {
        uint256 fee = gives > allowance ? 0 : allowance - gives + 1;
        if (fee * 10_000 > gives * exchange.maxFeeRateBps() || exchange.isPaused(o.maker)) return;
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(o.tokenId, 1, receives, gives);
        (bool done, bytes4 reason) = matched(o, makers, gives, receives, fee);
        bytes4 expected = IERC20Errors.ERC20InsufficientAllowance.selector;
        assertRefused(done, reason, expected, "N3 the exchange pulls no unit beyond the allowance");
        did(Deed.RefusedBeyondAllowance);
    }

    /// @dev All of it, a part, or so little (bought, or left over) that it is dust.
    function sizeOf(uint256 part, uint256 most, uint8 side) private pure returns (uint256) {
        if (part % 2 == 0) return most;
        uint256 dust = 1 + ((part >> 8) % 2_000);
        if (part % 9 == 1 && most > dust) return side == 0 ? dust : most - dust;
        return bound(part, 1, most);
    }

    /// @dev Against the same token, or against its complement: then a pair is minted or merged.
    function fillAt(
        IVenueExchange.Order memory o,
        uint256 gives,
        uint256 receives,
        uint256 fee,
        uint256 surplus
    ) private returns (bool done) {
        uint256 cash = usdc.balanceOf(o.maker);
        uint256 held = tokens.balanceOf(o.maker, o.tokenId);
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        uint256 usdcUnits = o.side == 0 ? gives : receives;
        uint256 tokenUnits = o.side == 0 ? receives : gives;
        bool pairs = (gives & 1) == 1 && usdcUnits < tokenUnits && surplus == 0;
        if (pairs) {
            uint256 rest = tokenUnits - usdcUnits;
            uint256 otherId = exchange.complementOf(o.tokenId);
            makers[0] = makerOrder(otherId, o.side, o.side == 0 ? rest : tokenUnits, o.side == 0 ? tokenUnits : rest);
        } else if (o.side == 0) {
            makers[0] = makerOrder(o.tokenId, 1, receives, gives - surplus);
        } else {
            makers[0] = makerOrder(o.tokenId, 0, receives + surplus, gives);
        }
        if (surplus != 0) setGross(true);
        bytes4 reason;
        (done, reason) = matched(o, makers, gives, receives, fee);
        if (surplus != 0) setGross(false);
        if (exchange.isPaused(o.maker)) {
            assertRefused(done, reason, VenueExchange.UserIsPaused.selector, "a paused user trades nothing");
            return false;
        }
        assertTrue(done, "a match within its order succeeds");
        if (pairs) did(Deed.FilledPaired);
        if (o.side == 0) assertLe(cash - usdc.balanceOf(o.maker), gives + fee, "N3 at most order and fee");
        else assertLe(held - tokens.balanceOf(o.maker, o.tokenId), gives, "N3 at most the order's tokens");
    }

    /// @dev Whether the fee still is the one the order was checked for.
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

    function setGross(bool gross) private {
        vm.prank(operator, operator);
        exchange.setGrossStatus(gross);
    }

    function matched(
        IVenueExchange.Order memory o,
        IVenueExchange.Order[] memory makers,
        uint256 gives,
        uint256 receives,
        uint256 fee
    ) private returns (bool done, bytes4 reason) {
        uint256[] memory fills = new uint256[](1);
        fills[0] = makers[0].makerAmount;
        (done, reason) = attempt(
            operator,
            address(exchange),
            abi.encodeCall(exchange.matchOrders, (o, makers, gives, receives, fills, fee, new uint256[](1)))
        );
    }

    // ------------------------------------------------------------ what is over, and what never was

    function preapprove(uint256 seed) public watched {
        bytes32 key = pick(seed);
        if (key == 0 || !isLive(vault.liveOrderOf(key))) return;
        vm.prank(operator, operator);
        exchange.preapproveOrder(orders[key]);
        did(Deed.Preapproved);
    }

    /// @dev An order after its end. Without an allowance nothing moves; while a newer one of the same side stands, an
    /// operator who had approved it in advance fills it within that one's allowance.
    function fillStaleOrder(uint256 seed, uint256 part) public watched {
        if (stale.length == 0) return;
        IVenueExchange.Order memory o = stale[seed % stale.length];
        bytes32 key = keyOfAccount[o.maker];
        (bool filled, uint248 remaining) = exchange.getOrderStatus(exchange.hashOrder(o));
        if (filled) return;
        uint256 within = o.side == 0 ? usdc.allowance(o.maker, address(exchange)) : heldOf(key);
        if (o.side == 1 && !tokens.isApprovedForAll(o.maker, address(exchange))) within = 0;
        uint256 most = remaining == 0 ? o.makerAmount : remaining;
        uint256 gives = within != 0 && within < most && part % 3 != 0 ? within : most;
        if (part % 2 == 0) gives = bound(part, 1, gives);
        uint256 receives = (gives * o.takerAmount + o.makerAmount - 1) / o.makerAmount;
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(o.tokenId, 1 - o.side, receives, gives);
        touch(key);
        (bool done, ) = matched(o, makers, gives, receives, 0);
        did(done ? Deed.StaleFilled : Deed.StaleRefused);
        if (!done) return;
        assertLe(gives, within, "the allowance is the kill switch, and the bound");
        if (o.side == 0) overrun[key] = true;
        else meddled[key] = true;
    }

    /// @dev F10: a match that reverts after all was shown to the world. Nothing may have changed.
    function ghostFill(uint256 seed) public watched {
        bytes32 key = pick(seed);
        if (key == 0 || !isLive(vault.liveOrderOf(key))) return;
        IVenueExchange.Order memory o = orders[key];
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(o.tokenId, 1 - o.side, o.takerAmount, o.makerAmount);
        makers[0].signature = "";
        (bool done, ) = matched(o, makers, o.makerAmount, o.takerAmount, 0);
        assertTrue(!done, "unsigned makers match nothing");
        did(Deed.GhostFilled);
    }

    // ------------------------------------------------------------ lies

    /// @dev The exchange answers about a standing order whatever it likes, while the order is measured.
    function finalizeAmidLies(uint256 seed, uint256 lie) public watched {
        bytes32 key = pick(seed);
        if (key == 0 || vault.liveOrderOf(key).orderHash == 0) return;
        overrun[key] = true;
        answerFalsely(vault.liveOrderOf(key).orderHash, lie);
        finalizeBy(key, keeper);
        vm.clearMockedCalls();
        did(Deed.LiedTo);
    }

    function answerFalsely(bytes32 orderHash, uint256 lie) internal {
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
        bool paused = exchange.isPaused(deals[key].account);
        vm.prank(operator, operator);
        exchange.pauseUser(deals[key].account, !paused);
        did(Deed.VenuePaused);
    }

    /// @dev One of the users, the providers and the treasury is barred, or everybody is freed.
    function bar(uint256 seed) public watched {
        if (seed % 2 == 0) {
            usdc.setBlacklisted(seed % 3 == 0 ? treasury : people[(seed >> 8) % people.length], true);
            return did(Deed.PersonBarred);
        }
        for (uint256 i = 0; i < people.length; ++i) usdc.setBlacklisted(people[i], false);
        did(Deed.PeopleFreed);
    }
}
