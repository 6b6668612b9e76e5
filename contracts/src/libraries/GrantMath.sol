// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {StoredGrant} from "../StoredPosition.sol";
import {BPS, GRANT_PATH_DIVISOR, PIPS} from "../VaultConstants.sol";
import {UnitMath} from "./UnitMath.sol";

/// @title GrantMath
/// @notice The price of a grant at a time, and what a fill trades at it. A price is a fraction and never rounded to a
/// pip; amounts round in favour of the vault.
library GrantMath {
    /// @notice The price of a moment: usdcUnits for tokenUnits, the fee part included. The fee part is feeParts of
    /// wholeParts of the USDC traded: on top of a purchase, off a sale.
    struct Price {
        uint256 usdcUnits;
        uint256 tokenUnits;
        uint256 feeParts;
        uint256 wholeParts;
    }

    /// @notice A fill: what the filler gives and takes, what of it counts as traded, and the fee part.
    struct Part {
        uint256 givenUnits;
        uint256 takenUnits;
        uint256 makerUnits;
        uint256 feeUsdcUnits;
    }

    /// @dev Start and limit weighted by what is left of the path and what is over; the fee part grows from 0. Both are
    /// at their ends from half of the grant's time on.
    /// @param elapsedSeconds time since the authorisation
    function priceOf(StoredGrant memory g, bool buys, uint256 elapsedSeconds) internal pure returns (Price memory p) {
        uint256 elapsed = UnitMath.min(GRANT_PATH_DIVISOR * elapsedSeconds, g.validFor);
        uint256 path = g.startPips * (uint256(g.validFor) - elapsed) + g.limitPips * elapsed;
        p.wholeParts = BPS * g.validFor;
        p.feeParts = g.venueFeeBps * elapsed;
        p.usdcUnits = path * (buys ? p.wholeParts + p.feeParts : p.wholeParts - p.feeParts);
        p.tokenUnits = PIPS * g.validFor * p.wholeParts;
    }

    /// @dev A purchase: tokens given for USDC taken, cut to the trade that is left at the filler's own ratio. The fee
    /// part is floor, so that its sum over the fills stays within the budget.
    function purchase(
        Price memory p,
        uint256 giveUnits,
        uint256 takeUnits,
        uint256 leftUsdcUnits
    ) internal pure returns (Part memory part) {
        part.givenUnits = giveUnits;
        part.takenUnits = takeUnits;
        part.feeUsdcUnits = (takeUnits * p.feeParts) / (p.wholeParts + p.feeParts);
        part.makerUnits = takeUnits - part.feeUsdcUnits;
        if (part.makerUnits <= leftUsdcUnits) return part;
        part.makerUnits = leftUsdcUnits;
        part.feeUsdcUnits = (leftUsdcUnits * p.feeParts) / p.wholeParts;
        part.takenUnits = leftUsdcUnits + part.feeUsdcUnits;
        part.givenUnits = UnitMath.multiplyDivideUp(giveUnits, part.takenUnits, takeUnits);
    }

    /// @dev A sale: USDC given for tokens taken, cut to the tokens that are left at the filler's own ratio.
    function sale(
        Price memory p,
        uint256 giveUnits,
        uint256 takeUnits,
        uint256 leftTokenUnits
    ) internal pure returns (Part memory part) {
        part.takenUnits = UnitMath.min(takeUnits, leftTokenUnits);
        part.makerUnits = part.takenUnits;
        part.givenUnits = takeUnits > leftTokenUnits
            ? UnitMath.multiplyDivideUp(giveUnits, leftTokenUnits, takeUnits)
            : giveUnits;
        part.feeUsdcUnits = (part.givenUnits * p.feeParts) / (p.wholeParts - p.feeParts);
    }

    /// @dev Return whether a fill is at the price or better for the vault.
    function isAtPrice(Price memory p, bool buys, Part memory part) internal pure returns (bool) {
        return
            buys
                ? part.takenUnits * p.tokenUnits <= part.givenUnits * p.usdcUnits
                : part.givenUnits * p.tokenUnits >= part.takenUnits * p.usdcUnits;
    }

    /// @dev The most USDC that tokens bring at the price, floor, cut to the trade that is left and to what the user
    /// pays for them; tokens are the least for that then.
    /// @param minTokenUnits the least tokens for notionalUsdcUnits of trade
    function bestPurchase(
        Price memory p,
        uint256 giveUnits,
        uint256 leftUsdcUnits,
        uint256 minTokenUnits,
        uint256 notionalUsdcUnits
    ) internal pure returns (Part memory part) {
        part = purchase(p, giveUnits, (giveUnits * p.usdcUnits) / p.tokenUnits, leftUsdcUnits);
        if (minTokenUnits != 0) {
            uint256 paid = (giveUnits * notionalUsdcUnits) / minTokenUnits;
            if (part.makerUnits > paid) part = purchase(p, giveUnits, paid + (paid * p.feeParts) / p.wholeParts, paid);
        }
        if (part.makerUnits != leftUsdcUnits) return part;
        part.givenUnits = UnitMath.max(
            UnitMath.multiplyDivideUp(part.takenUnits, p.tokenUnits, p.usdcUnits),
            UnitMath.multiplyDivideUp(part.makerUnits, minTokenUnits, notionalUsdcUnits)
        );
    }

    /// @dev The most tokens that USDC buys at the price, floor, cut to the tokens that are left; USDC is the least for
    /// them, ceil.
    function bestSale(
        Price memory p,
        uint256 giveUnits,
        uint256 leftTokenUnits
    ) internal pure returns (Part memory part) {
        part = sale(p, giveUnits, (giveUnits * p.tokenUnits) / p.usdcUnits, leftTokenUnits);
        part.givenUnits = UnitMath.multiplyDivideUp(part.takenUnits, p.usdcUnits, p.tokenUnits);
    }
}
