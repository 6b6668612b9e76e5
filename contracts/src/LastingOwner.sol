// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

/// @title LastingOwner
/// @notice An owner that hands over in two steps and cannot leave without a successor: nothing could be resumed,
/// rotated or written off again.
abstract contract LastingOwner is Ownable2Step {
    /// @notice Ownership is handed over, never given up.
    error OwnerRequired();

    /// @notice Always refused.
    function renounceOwnership() public view override(Ownable) onlyOwner {
        revert OwnerRequired();
    }
}
