// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title UnitMath
/// @notice Whole-number arithmetic on amounts of at most 64 bits: no product of two of them can overflow.
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

    /// @dev The figure, or the largest one 64 bits hold: a donation of any size never reverts.
    function toUnits64(uint256 figure) internal pure returns (uint64) {
        return figure > type(uint64).max ? type(uint64).max : uint64(figure);
    }
}
