// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title UnitMath
/// @notice Whole-number arithmetic on stored amounts, whose products cannot overflow.
library UnitMath {
    /// @dev The smaller one.
    function min(uint256 a, uint256 b) internal pure returns (uint256) {
        return a < b ? a : b;
    }

    /// @dev The larger one.
    function max(uint256 a, uint256 b) internal pure returns (uint256) {
        return a > b ? a : b;
    }

    /// @dev a − b, or 0.
    function subtractOrZero(uint256 a, uint256 b) internal pure returns (uint256) {
        return a > b ? a - b : 0;
    }

    /// @dev a × b / divisor, rounded up; divisor is not 0.
    function multiplyDivideUp(uint256 a, uint256 b, uint256 divisor) internal pure returns (uint256) {
        return (a * b + divisor - 1) / divisor;
    }

    /// @dev USDC as stored, or the largest amount 48 bits hold (281 million USD): a donation never reverts.
    function toUsdc(uint256 usdcUnits) internal pure returns (uint48) {
        return usdcUnits > type(uint48).max ? type(uint48).max : uint48(usdcUnits);
    }

    /// @dev Tokens as stored, or the largest amount 48 bits hold (281 million tokens, each backed by 1 USD).
    function toTokens(uint256 tokenUnits) internal pure returns (uint48) {
        return tokenUnits > type(uint48).max ? type(uint48).max : uint48(tokenUnits);
    }
}
