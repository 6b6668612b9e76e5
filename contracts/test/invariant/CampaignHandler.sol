// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CampaignKeepers} from "./CampaignKeepers.sol";

/// @notice Whole scenarios, so that sequences go deep: each is nothing but actions, every one of them watched.
abstract contract CampaignHandler is CampaignKeepers {
    function openWhole(uint256 seed, uint256 collateral, uint256 price, uint256 part) public {
        uint256 before = keys.length;
        createPosition(seed, collateral, part % 10, price);
        if (keys.length == before) return;
        authorizeOpening(before, 3_000 + (price % 6_000), type(uint256).max);
        if (part % 7 == 0) preapprove(before);
        if (part % 11 == 0) ghostFill(before);
        if (part % 4 == 0) fillAgainstTheBudget(before, part, price, seed >> 16);
        else fillOrder(before, part, price);
        if (part % 13 == 0) finalizeAmidLies(before, seed >> 32);
        else if (part % 5 != 0) finalizePosition(before, 0);
    }

    /// @dev A part is bought by one order and the rest by a second, at another price; the first is never used again.
    function openInTwo(uint256 seed, uint256 collateral, uint256 price, uint256 part) public {
        uint256 before = keys.length;
        createPosition(seed, collateral, part % 10, price - (price % 2));
        if (keys.length == before) return;
        authorizeOpening(before, 3_000 + (price % 6_000), part);
        fillOrder(before, part | 1, price);
        if (part % 3 == 0) reuseOrder(before, 1, price);
        authorizeOpening(before, 3_000 + ((price >> 16) % 6_000), part >> 16);
        if (part % 3 == 1) reuseOrder(before, 1, price);
        fillOrder(before, part >> 8, price >> 8);
        if (part % 5 != 0) finalizePosition(before, 0);
    }

    function sellSome(uint256 seed, uint256 price, uint256 part, uint256 kind) public {
        if (kind % 3 == 0) requestClosing(seed, part, price % 1_000);
        authorizeSelling(seed, 1_000 + (price % 5_000), part, kind);
        if (part % 7 == 0) preapprove(seed);
        if (part % 11 == 0) ghostFill(seed);
        if (part % 4 == 0) fillAgainstTheBudget(seed, part / 3, price, part >> 16);
        else fillOrder(seed, part / 3, price);
        if (part % 6 == 1) reuseOrder(seed, 1, price);
        if (part % 13 == 0) finalizeAmidLies(seed, part >> 32);
        else if (part % 5 != 0) finalizePosition(seed, 0);
    }

    /// @dev An order is replaced by a newer one, and then the older one is filled: twice within one minute.
    function replaceAndFillStale(uint256 seed, uint256 price, uint256 part) public {
        authorizeSelling(seed, 1_000 + (price % 3_000), part, 1);
        preapprove(seed);
        authorizeSelling(seed, 1_000 + ((price >> 16) % 3_000), part >> 16, 1);
        fillStaleOrder(stale.length == 0 ? 0 : stale.length - 1, part);
        if (part % 3 == 0) finalizePosition(seed, 0);
    }

    /// @dev The same of a purchase: the status that is read is the newer order's, which may fill as well.
    function replaceAndBuyStale(uint256 seed, uint256 collateral, uint256 price, uint256 part) public {
        uint256 before = keys.length;
        createPosition(seed, collateral, part % 10, price - (price % 2));
        if (keys.length == before) return;
        authorizeOpening(before, 3_000 + (price % 6_000), part);
        preapprove(before);
        authorizeOpening(before, 3_000 + ((price >> 16) % 6_000), part >> 16);
        fillStaleOrder(stale.length == 0 ? 0 : stale.length - 1, part);
        if (part % 3 == 0) fillAgainstTheBudget(before, part >> 8, price, seed >> 16);
        finalizePosition(before, 0);
    }

    /// @dev A liquidation is filled, and before it is booked its owner wants to help.
    function helpTooLate(uint256 seed, uint256 price, uint256 part) public {
        authorizeSelling(seed, price, part, 2);
        fillOrder(seed, part, price);
        addMargin(seed, price);
        if (part % 3 == 0) wait(1 + 4 * (part % 100));
        finalizePosition(seed, part % 2);
    }

    function resolveAndSettle(uint256 seed, uint256 yesPart, uint256 noPart) public {
        resolveMarket(seed, yesPart, noPart);
        for (uint256 i = 0; i < 3; ++i) settlePosition((seed >> 32) + i, noPart >> (16 * i));
    }

    /// @dev Claim from an ended position that holds tokens, or gets some first.
    function giveAndClaim(uint256 seed, uint256 usdcUnits, uint256 by) public {
        for (uint256 i = 0; i < keys.length; ++i) {
            bytes32 key = pick((seed % keys.length) + i);
            if (isOpen(key) || isPending(key)) continue;
            if (cashIn(key) + heldOf(key) == 0 && by % 4 < 2) continue;
            if (by % 4 > 1) give((seed % keys.length) + i, usdcUnits, 1);
            return claimPosition((seed % keys.length) + i, by);
        }
    }

    /// @dev A loan is impaired, and then perhaps cleared by the owner, or not by the guardian.
    function impairAndClear(uint256 seed, uint256 by) public {
        impair(seed, by);
        impair(seed, by >> 8);
    }

    function waitAndRedeem(uint256 seed, uint256 shares) public {
        requestRedeem(seed, shares);
        if (shares % 7 == 0) redeem(seed, 1);
        wait(24 hours + 2 + 4 * (shares % 4 hours));
        if (shares % 5 == 0) sendToOwner(seed, shares >> 8);
        else redeem(seed, shares >> 8);
        if (shares % 3 == 0) payTreasury();
    }

    /// @dev Orders and openings whose time is over, ended by anyone.
    function waitAndBook(uint256 seed, uint256 many) public {
        wait(301 + 4 * (many % 20));
        finalizePosition(seed, 1);
        finalizeMany(seed, many, many >> 8);
    }
}
