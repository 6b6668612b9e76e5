// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BPS, PIPS} from "../VaultConstants.sol";
import {UnitMath} from "./UnitMath.sol";

/// @title LiquidationMath
/// @notice The value below which a position may be sold, and the same as a price.
library LiquidationMath {
    /// @dev ceil(debt × (10⁴ + liquidation fee + exit buffer) / 10⁴), in USDC units.
    function threshold(
        uint256 debtUsdcUnits,
        uint256 liquidationFeeBps,
        uint256 exitBufferBps
    ) internal pure returns (uint256) {
        return UnitMath.multiplyDivideUp(debtUsdcUnits, BPS + liquidationFeeBps + exitBufferBps, BPS);
    }

    /// @dev floor(threshold × 10⁴ / tokens), in pips: the one rounding in the user's favour, below a pip.
    function price(uint256 thresholdUsdcUnits, uint256 tokenUnits) internal pure returns (uint256) {
        return tokenUnits == 0 ? 0 : (thresholdUsdcUnits * PIPS) / tokenUnits;
    }
}
