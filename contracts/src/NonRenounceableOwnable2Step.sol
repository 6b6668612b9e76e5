// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

/// @title NonRenounceableOwnable2Step
/// @notice Ownable2Step whose ownership cannot be renounced: without an owner nothing could be resumed or rotated
/// again, and no impaired loan cleared.
abstract contract NonRenounceableOwnable2Step is Ownable2Step {
    /// @notice Ownership is handed over, never given up.
    error OwnerRequired();

    /// @notice Always refused.
    function renounceOwnership() public view override(Ownable) onlyOwner {
        revert OwnerRequired();
    }
}
