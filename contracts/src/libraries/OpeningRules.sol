// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../interfaces/IVault.sol";
import {StoredPosition} from "../StoredPosition.sol";
import {ATOMIC_FILL_BPS, BPS, OPENING_MARK_BPS, OPEN_WINDOW} from "../VaultConstants.sol";
import {LiquidationMath} from "./LiquidationMath.sol";
import {OpeningSplit} from "./OpeningSplit.sol";
import {PositionMath} from "./PositionMath.sol";
import {UnitMath} from "./UnitMath.sol";

/// @title OpeningRules
/// @notice Size and health of a purchase, whatever route it takes.
library OpeningRules {
    using PositionMath for StoredPosition;
    using UnitMath for uint256;

    /// @dev Not cancelled, in time, and no more than is left of the notional; the first one at least the user's least.
    function checkAmount(StoredPosition storage position, uint256 makerAmount) internal view {
        if (position.cancelRequested) revert IVault.CancelWasRequested();
        if (block.timestamp > position.createdAt + OPEN_WINDOW) revert IVault.OpenWindowOver();
        uint256 filled = position.filledUsdcUnits;
        if (makerAmount > uint256(position.notionalUsdcUnits).subtractOrZero(filled)) {
            revert IVault.OrderAmountOutOfRange();
        }
        if (filled == 0 && !isFirstEnough(position, makerAmount)) revert IVault.OrderAmountOutOfRange();
    }

    /// @dev Return whether a position may begin with this trade, in USDC units.
    function isFirstEnough(StoredPosition storage position, uint256 tradeUsdcUnits) internal view returns (bool) {
        uint256 floorBps = position.minFillBps == BPS ? ATOMIC_FILL_BPS : position.minFillBps;
        return tradeUsdcUnits * BPS >= position.notionalUsdcUnits * floorBps;
    }

    /// @dev One budget for the venue's fees of all purchases: what was spent beyond the fills is gone from it. The
    /// liquidation price if all is filled at the limit and every unit of the allowance is taken must stay at or under
    /// the user's maximum and 99 % of the attested mark.
    /// @param cashUsdcUnits USDC of the account, without a loan that comes with this purchase
    /// @param tokenUnits tokens of the account then
    /// @return allowanceUsdcUnits the maximum cost
    /// @return principalUsdcUnits the loan then
    function checkHealth(
        StoredPosition storage position,
        uint256 cashUsdcUnits,
        uint256 tokenUnits,
        uint256 makerAmount,
        uint256 markPips,
        uint256 venueFeeBps,
        uint256 exitBufferBps
    ) internal view returns (uint256 allowanceUsdcUnits, uint256 principalUsdcUnits) {
        OpeningSplit.Opening memory opening = position.openingOf();
        bool first = position.principalUsdcUnits == 0;
        opening.filledUsdcUnits = position.filledUsdcUnits;
        opening.cashUsdcUnits = cashUsdcUnits + (first ? opening.lentUsdcUnits : 0);

        uint256 feeLeft = OpeningSplit.feeLeft(opening);
        if (feeLeft * BPS < makerAmount * venueFeeBps) revert IVault.VenueFeeTooSmall();
        uint256 tradingCash = OpeningSplit.tradingCash(opening);
        allowanceUsdcUnits = (makerAmount + feeLeft).min(tradingCash);
        uint256 spent = OpeningSplit.spent(opening) + allowanceUsdcUnits;
        uint256 trade = opening.notionalUsdcUnits.min(opening.filledUsdcUnits + makerAmount);
        principalUsdcUnits = OpeningSplit.principal(opening, trade, spent);
        uint256 threshold = LiquidationMath.threshold(
            principalUsdcUnits,
            position.liquidationFeeBps,
            first ? exitBufferBps : position.exitBufferBps
        );
        uint256 price = LiquidationMath.price(threshold, tokenUnits);
        uint256 maximum = UnitMath.min(position.maxLiquidationPricePips, (markPips * OPENING_MARK_BPS) / BPS);
        if (price > maximum) revert IVault.UnhealthyAtOpening(price, maximum);
    }
}
