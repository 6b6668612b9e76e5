// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IConditionalTokens} from "../interfaces/IConditionalTokens.sol";
import {IPositionManager} from "../interfaces/IPositionManager.sol";
import {PositionContext} from "../PositionContext.sol";
import {StoredOutcome} from "../StoredOutcome.sol";

/// @title OutcomeLedger
/// @notice Ledger of an outcome, by its token id alone, and every read of its result and of an account's tokens.
/// @dev Reads of a result fail closed, each in its own direction. For an order anything but the PositionManager's own
/// "not resolved" means that the result is known. For a settlement anything but an answer means that it is not. A call
/// that was starved of gas is neither, so a caller can only refuse itself.
library OutcomeLedger {
    /// @dev Bits that a native binary id fixes: all but its hash and the last one. A token id of ConditionalTokens is a
    /// keccak-256, and 127 bits of it would have to be these.
    uint256 private constant FIXED_BITS = ~((uint256(type(uint128).max) << 120) | 1);
    uint256 private constant HASH_BITS = uint256(type(uint128).max) << 120;
    /// @dev Module 1 decides binary conditions; arity, reserved bits, resolution chain and condition index are zero.
    uint256 internal constant BINARY_MODULE = 1;
    uint256 private constant BINARY_BITS = BINARY_MODULE << 248;
    /// @dev Payout of one token is its share of the result, in millionths.
    uint256 private constant WHOLE_TOKEN = 1e6;
    /// @dev The modules' error of an undecided condition.
    bytes4 private constant NOT_RESOLVED = bytes4(keccak256("ConditionNotResolved()"));

    /// @dev Return whether a token id is one of the PositionManager; any other is one of ConditionalTokens.
    function isManaged(uint256 tokenId) internal pure returns (bool) {
        return tokenId & FIXED_BITS == BINARY_BITS;
    }

    /// @dev Return whether a condition and an outcome index make a native binary id.
    function isNative(bytes31 conditionId, uint256 outcomeIndex) internal pure returns (bool) {
        uint256 condition = uint256(bytes32(conditionId));
        return outcomeIndex < 2 && condition & HASH_BITS != 0 && isManaged(condition);
    }

    /// @dev Contract that holds an outcome's tokens.
    function tokensOf(uint256 tokenId, PositionContext calldata c) internal pure returns (address tokens) {
        return isManaged(tokenId) ? c.positionManager : c.conditionalTokens;
    }

    /// @dev Tokens of a position's account: what was bought or is not sold yet, and donations, which no account can
    /// refuse at the PositionManager. Both ledgers answer the same call.
    function heldTokenUnits(uint256 tokenId, PositionContext calldata c) internal view returns (uint256 tokenUnits) {
        return IConditionalTokens(tokensOf(tokenId, c)).balanceOf(c.account, tokenId);
    }

    /// @dev Return whether the result is unknown. No order is given or filled otherwise.
    function isUndecided(StoredOutcome storage outcome, PositionContext calldata c) internal view returns (bool) {
        uint256 tokenId = outcome.tokenId;
        if (!isManaged(tokenId)) {
            return IConditionalTokens(c.conditionalTokens).payoutDenominator(outcome.conditionId) == 0;
        }
        (bool hasSucceeded, uint256 size, uint256 word) = _askPayout(c.positionManager, tokenId);
        return !hasSucceeded && size == 4 && bytes32(word) == bytes32(NOT_RESOLVED);
    }

    /// @dev Return whether the result is known, and the outcome's share of it, whose unit is the ledger's own: 0 is a
    /// loss.
    /// @param indexSet 1 for the condition's first outcome, 2 for the second
    function resultOf(
        StoredOutcome storage outcome,
        PositionContext calldata c,
        uint256 indexSet
    ) internal view returns (bool isDecided, uint256 share) {
        uint256 tokenId = outcome.tokenId;
        if (isManaged(tokenId)) {
            uint256 size;
            (isDecided, size, share) = _askPayout(c.positionManager, tokenId);
            return (isDecided && size >= 32, share);
        }
        bytes32 conditionId = outcome.conditionId;
        IConditionalTokens tokens = IConditionalTokens(c.conditionalTokens);
        if (tokens.payoutDenominator(conditionId) == 0) return (false, 0);
        return (true, tokens.payoutNumerators(conditionId, indexSet - 1));
    }

    /// @dev One word of the answer, or of the reason of a refusal; whatever follows is never copied.
    function _askPayout(
        address positionManager,
        uint256 tokenId
    ) private view returns (bool hasSucceeded, uint256 size, uint256 word) {
        bytes memory question = abi.encodeCall(IPositionManager.getPayout, (tokenId, WHOLE_TOKEN));
        assembly ("memory-safe") {
            mstore(0x00, 0)
            hasSucceeded := staticcall(gas(), positionManager, add(question, 0x20), mload(question), 0x00, 0x20)
            size := returndatasize()
            word := mload(0x00)
        }
    }
}
