// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IConditionalTokens
/// @notice The part of the ConditionalTokens contract used here; index set 1 is the first outcome, 2 the second.
interface IConditionalTokens {
    /// @notice Opens a condition for an oracle's question.
    /// @param oracle who will report its payouts
    /// @param questionId the oracle's question
    /// @param outcomeSlotCount how many outcomes it has; the vault takes conditions with 2
    function prepareCondition(address oracle, bytes32 questionId, uint256 outcomeSlotCount) external;

    /// @notice Reports the payout vector of the caller's question, once.
    /// @param questionId the caller's question
    /// @param payouts one numerator for each outcome slot, not all 0
    function reportPayouts(bytes32 questionId, uint256[] calldata payouts) external;

    /// @notice Turns collateral of the caller into one token of each outcome in the partition.
    /// @param collateralToken the ERC-20 token behind the positions
    /// @param parentCollectionId zero: positions stand on collateral alone
    /// @param conditionId the condition
    /// @param partition the index sets to part into, disjoint and together all outcomes
    /// @param amount collateral to give and tokens to get of each, in units of the collateral
    function splitPosition(
        address collateralToken,
        bytes32 parentCollectionId,
        bytes32 conditionId,
        uint256[] calldata partition,
        uint256 amount
    ) external;

    /// @notice Turns one token of each outcome in the partition back into collateral.
    /// @param collateralToken the ERC-20 token behind the positions
    /// @param parentCollectionId zero: positions stand on collateral alone
    /// @param conditionId the condition
    /// @param partition the index sets to put together, disjoint and together all outcomes
    /// @param amount tokens to give of each and collateral to get, in units of the collateral
    function mergePositions(
        address collateralToken,
        bytes32 parentCollectionId,
        bytes32 conditionId,
        uint256[] calldata partition,
        uint256 amount
    ) external;

    /// @notice Burns the caller's whole balance of each token and pays what the payout vector says.
    /// @param collateralToken the ERC-20 token behind the positions
    /// @param parentCollectionId zero: positions stand on collateral alone
    /// @param conditionId the condition
    /// @param indexSets the index set of each token to redeem
    function redeemPositions(
        address collateralToken,
        bytes32 parentCollectionId,
        bytes32 conditionId,
        uint256[] calldata indexSets
    ) external;

    /// @notice ERC-1155 operator approval of the caller.
    /// @param operator who may move tokens of the caller
    /// @param approved whether the operator may from now on
    function setApprovalForAll(address operator, bool approved) external;

    /// @notice ERC-1155 transfer.
    /// @param from whose tokens they are: the caller, or an owner who approved the caller
    /// @param to who receives them; a contract must accept them
    /// @param id ERC-1155 id of the token
    /// @param value how many, in token units
    /// @param data handed to a receiver that is a contract
    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata data) external;

    /// @notice ERC-1155 balance.
    /// @param owner whose tokens
    /// @param id ERC-1155 id of the token
    /// @return balance how many, in token units
    function balanceOf(address owner, uint256 id) external view returns (uint256 balance);

    /// @notice ERC-1155 operator approval.
    /// @param owner whose tokens
    /// @param operator who would move them
    /// @return approved whether the operator may
    function isApprovedForAll(address owner, address operator) external view returns (bool approved);

    /// @notice Outcome slots of a prepared condition, 0 when not prepared.
    /// @param conditionId the condition
    /// @return count how many outcomes it has
    function getOutcomeSlotCount(bytes32 conditionId) external view returns (uint256 count);

    /// @notice Zero until the oracle has reported.
    /// @param conditionId the condition
    /// @return denominator the sum of its payout numerators
    function payoutDenominator(bytes32 conditionId) external view returns (uint256 denominator);

    /// @notice Payout of one outcome slot, over payoutDenominator.
    /// @param conditionId the condition
    /// @param index the outcome slot, counted from 0
    /// @return numerator its share of the denominator
    function payoutNumerators(bytes32 conditionId, uint256 index) external view returns (uint256 numerator);

    /// @notice keccak256 of oracle, question and slot count.
    /// @param oracle who reports its payouts
    /// @param questionId the oracle's question
    /// @param outcomeSlotCount how many outcomes it has
    /// @return conditionId the condition, prepared or not
    function getConditionId(
        address oracle,
        bytes32 questionId,
        uint256 outcomeSlotCount
    ) external pure returns (bytes32 conditionId);

    /// @notice Collection of an index set of a condition.
    /// @param parentCollectionId zero: positions stand on collateral alone
    /// @param conditionId the condition
    /// @param indexSet the outcomes in it, one bit for each slot
    /// @return collectionId what token ids are made from
    function getCollectionId(
        bytes32 parentCollectionId,
        bytes32 conditionId,
        uint256 indexSet
    ) external view returns (bytes32 collectionId);

    /// @notice ERC-1155 id of a collection backed by a collateral token.
    /// @param collateralToken the ERC-20 token behind the positions
    /// @param collectionId the collection
    /// @return positionId ERC-1155 id of the token
    function getPositionId(address collateralToken, bytes32 collectionId) external pure returns (uint256 positionId);
}
