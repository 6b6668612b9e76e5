// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BPS, YEAR} from "../VaultConstants.sol";
import {UnitMath} from "./UnitMath.sol";

/// @title FeeMath
/// @notice Fees in USDC units, always rounded up: users pay ceil.
library FeeMath {
    /// @dev ceil(notional × bps / 10⁴).
    function originationFee(uint256 notionalUsdcUnits, uint256 feeBps) internal pure returns (uint256) {
        return UnitMath.multiplyDivideUp(notionalUsdcUnits, feeBps, BPS);
    }

    /// @dev ceil(principal × apr × seconds / (10⁴ × 365 days)).
    function lifetimeFee(
        uint256 principalUsdcUnits,
        uint256 aprBps,
        uint256 elapsedSeconds
    ) internal pure returns (uint256) {
        return UnitMath.multiplyDivideUp(principalUsdcUnits * aprBps, elapsedSeconds, BPS * YEAR);
    }
}
