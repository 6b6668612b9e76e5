// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {UnitMath} from "./UnitMath.sol";

/// @title LossFactor
/// @notice One factor that lowers the caps of all redeem requests at once. An amount is divided by the factor of its
/// time and multiplied by the factor of a later one: the difference is its part of all losses in between.
library LossFactor {
    using UnitMath for uint256;

    /// @dev Factor before any loss. The smallest factor is 1, so that it never divides by 0.
    uint256 internal constant ONE = 1e26;

    /// @dev Return an amount of now in scaled units, ceil: unscaled by the same factor it is the same amount.
    function scale(uint256 usdcUnits, uint256 lossFactor) internal pure returns (uint256 scaledUnits) {
        return UnitMath.multiplyDivideUp(usdcUnits, ONE, lossFactor);
    }

    /// @dev Return what scaled units are worth under a factor, in USDC units, floor.
    function unscale(uint256 scaledUnits, uint256 lossFactor) internal pure returns (uint256 usdcUnits) {
        return (scaledUnits * lossFactor) / ONE;
    }

    /// @dev Return what scaled units are worth under a factor, in USDC units, ceil.
    function unscaleUp(uint256 scaledUnits, uint256 lossFactor) internal pure returns (uint256 usdcUnits) {
        return UnitMath.multiplyDivideUp(scaledUnits, lossFactor, ONE);
    }

    /// @dev Return the factor after a loss, floor: lower by the loss's part of the assets, the virtual unit included.
    function afterLoss(
        uint256 lossFactor,
        uint256 assetsUsdcUnits,
        uint256 lossUsdcUnits
    ) internal pure returns (uint256) {
        uint256 left = assetsUsdcUnits.subtractOrZero(lossUsdcUnits) + 1;
        return ((lossFactor * left) / (assetsUsdcUnits + 1)).max(1);
    }
}
