// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IConditionalTokens
/// @notice The part of the ConditionalTokens contract used here; index set 1 is the first outcome, 2 the second.
interface IConditionalTokens {
    /// @notice Opens a condition for an oracle's question.
    function prepareCondition(address oracle, bytes32 questionId, uint256 outcomeSlotCount) external;

    /// @notice Reports the payout vector of the caller's question, once.
    function reportPayouts(bytes32 questionId, uint256[] calldata payouts) external;

    /// @notice Turns collateral of the caller into one token of each outcome in the partition.
    function splitPosition(
        address collateralToken,
        bytes32 parentCollectionId,
        bytes32 conditionId,
        uint256[] calldata partition,
        uint256 amount
    ) external;

    /// @notice Turns one token of each outcome in the partition back into collateral.
    function mergePositions(
        address collateralToken,
        bytes32 parentCollectionId,
        bytes32 conditionId,
        uint256[] calldata partition,
        uint256 amount
    ) external;

    /// @notice Burns the caller's whole balance of each token and pays what the payout vector says.
    function redeemPositions(
        address collateralToken,
        bytes32 parentCollectionId,
        bytes32 conditionId,
        uint256[] calldata indexSets
    ) external;

    /// @notice ERC-1155 operator approval of the caller.
    function setApprovalForAll(address operator, bool approved) external;

    /// @notice ERC-1155 transfer.
    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata data) external;

    /// @notice ERC-1155 balance.
    function balanceOf(address owner, uint256 id) external view returns (uint256 balance);

    /// @notice ERC-1155 operator approval.
    function isApprovedForAll(address owner, address operator) external view returns (bool approved);

    /// @notice Outcome slots of a prepared condition, 0 when not prepared.
    function getOutcomeSlotCount(bytes32 conditionId) external view returns (uint256 count);

    /// @notice Zero until the oracle has reported.
    function payoutDenominator(bytes32 conditionId) external view returns (uint256 denominator);

    /// @notice Payout of one outcome slot, over payoutDenominator.
    function payoutNumerators(bytes32 conditionId, uint256 index) external view returns (uint256 numerator);

    /// @notice keccak256 of oracle, question and slot count.
    function getConditionId(
        address oracle,
        bytes32 questionId,
        uint256 outcomeSlotCount
    ) external pure returns (bytes32 conditionId);

    /// @notice Collection of an index set of a condition.
    function getCollectionId(
        bytes32 parentCollectionId,
        bytes32 conditionId,
        uint256 indexSet
    ) external view returns (bytes32 collectionId);

    /// @notice ERC-1155 id of a collection backed by a collateral token.
    function getPositionId(address collateralToken, bytes32 collectionId) external pure returns (uint256 positionId);
}
