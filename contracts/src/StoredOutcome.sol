// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice The two names of a registered token.
struct StoredOutcome {
    bytes32 conditionId;
    uint256 tokenId;
}

/// @notice Facts of a registered token besides its two names.
struct OutcomeEntry {
    uint32 outcomeId;
    uint8 indexSet;
}

/// @notice Registered tokens by number and by name.
struct OutcomeBook {
    uint32 lastOutcomeId;
    mapping(uint32 outcomeId => StoredOutcome names) outcomes;
    mapping(bytes32 conditionId => mapping(uint256 tokenId => OutcomeEntry entry)) entries;
}
