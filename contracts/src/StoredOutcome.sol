// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice The two names of a registered token.
struct StoredOutcome {
    bytes32 conditionId;
    uint256 tokenId;
}
