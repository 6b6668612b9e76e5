// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../interfaces/IVault.sol";
import {StoredPosition} from "../StoredPosition.sol";
import {BPS, DUST_TOKEN_UNITS, MIN_ORDER_TOKEN_UNITS, PIPS} from "../VaultConstants.sol";
import {PositionMath} from "./PositionMath.sol";
import {UnitMath} from "./UnitMath.sol";

/// @title SaleRules
/// @notice Size, cause and cover of a sale, whatever route it takes.
library SaleRules {
    using PositionMath for StoredPosition;

    /// @dev No more than is held; return what is held, and whether tokens are left: enough for a sale of their own
    /// then.
    function checkAmount(
        StoredPosition storage position,
        uint256 makerAmount
    ) internal view returns (uint256 tokens, bool part) {
        tokens = position.tokenUnits;
        if (makerAmount > tokens) revert IVault.OrderAmountOutOfRange();
        uint256 rest = tokens - makerAmount;
        part = rest >= DUST_TOKEN_UNITS;
        if (part && rest < MIN_ORDER_TOKEN_UNITS) revert IVault.RemainderTooSmall();
    }

    /// @dev The mark is at or under the liquidation price of now.
    function checkLiquidatable(StoredPosition storage position, uint256 markPips) internal view {
        uint256 price = position.liquidationPrice();
        if (markPips > price) revert IVault.NotLiquidatable(price);
    }

    /// @dev As checkLiquidatable, as an answer.
    function isLiquidatable(StoredPosition storage position, uint256 markPips) internal view returns (bool) {
        return markPips <= position.liquidationPrice();
    }

    /// @dev Requested or triggered, no more than that takes, and covering the debt; return whether it covers it, which
    /// only a sale of everything past the hard exit need not.
    /// @param coveringUnits tokens whose price counts as cover: all that are held, but a remainder of dust
    /// @param coverFeeBps the highest fee that may leave the limit
    function checkDue(
        StoredPosition storage position,
        IVault.Purpose purpose,
        uint256 coveringUnits,
        uint256 makerAmount,
        uint256 limitPips,
        uint256 triggerPips,
        uint256 venueFeeBps,
        uint256 coverFeeBps
    ) internal view returns (bool covered) {
        uint256 debt = position.principal() + position.lifetimeFees();
        // No request sells a healthy position below its debt; past the hard exit (trigger 0) everything may go.
        // A remainder of dust is never sold, so what is sold has to cover all of the debt.
        covered = limitPips * (BPS - coverFeeBps) * coveringUnits >= debt * PIPS * BPS;
        bool hardExit = purpose == IVault.Purpose.Unwind && triggerPips == 0 && coveringUnits == makerAmount;
        if (!covered && !hardExit) revert IVault.SaleBelowDebt();
        if (purpose == IVault.Purpose.Close) {
            if (position.closeTokenUnits == 0) revert IVault.CloseNotRequested();
            if (makerAmount > position.closeTokenUnits) revert IVault.OrderAmountOutOfRange();
            return covered;
        }
        if (debt * PIPS <= position.tokenUnits * triggerPips) revert IVault.NotTriggered();
        // How much repays the debt follows from what the sale is likely to bring, not from the least it may.
        uint256 expected = limitPips * (BPS - venueFeeBps);
        if (expected == 0) revert IVault.SaleBelowDebt();
        uint256 repaying = UnitMath.multiplyDivideUp(debt, PIPS * BPS, expected) + MIN_ORDER_TOKEN_UNITS;
        if (makerAmount > repaying) revert IVault.OrderAmountOutOfRange();
    }
}
