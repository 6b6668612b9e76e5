// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Vm} from "./Vm.sol";

/// @notice Assertions with the two figures in the message.
abstract contract Assertions {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    error Unequal(string what, uint256 actual, uint256 expected);
    error NotAtMost(string what, uint256 actual, uint256 limit);
    error Untrue(string what);

    function assertEq(uint256 actual, uint256 expected, string memory what) internal pure {
        if (actual != expected) revert Unequal(what, actual, expected);
    }

    function assertEq(address actual, address expected, string memory what) internal pure {
        if (actual != expected) revert Unequal(what, uint160(actual), uint160(expected));
    }

    function assertEq(bytes32 actual, bytes32 expected, string memory what) internal pure {
        if (actual != expected) revert Unequal(what, uint256(actual), uint256(expected));
    }

    function assertLe(uint256 actual, uint256 limit, string memory what) internal pure {
        if (actual > limit) revert NotAtMost(what, actual, limit);
    }

    function assertGe(uint256 actual, uint256 limit, string memory what) internal pure {
        if (actual < limit) revert NotAtMost(what, limit, actual);
    }

    function assertTrue(bool condition, string memory what) internal pure {
        if (!condition) revert Untrue(what);
    }

    /// @dev A figure inside both bounds, as evenly spread as the input.
    function bound(uint256 figure, uint256 low, uint256 high) internal pure returns (uint256) {
        if (figure >= low && figure <= high) return figure;
        uint256 size = high - low + 1;
        return size == 0 ? figure : low + (figure % size);
    }
}
